import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { WinnowFunction } from './winnow-function.ts';

export interface DataKeyProps {
  /** `managed`: a key of the stack's own. Otherwise the ARN of one that is there. */
  readonly key: string;
  /** Whether a key of the stack's own goes with it; otherwise it is kept, as the table is. */
  readonly destroyable: boolean;
}

const USES = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'];
const ARN = /^arn:[^:]+:kms:[^:]+:\d+:key\/[\w-]+$/;

/**
 * The KMS key of the table, its stream and its backups, and of the queues. DynamoDB and SQS use it for whoever asks
 * them, who has to be allowed to as well: through them, and in no other way.
 */
export class DataKey extends Construct {
  readonly key: IKey;

  /** @throws {Error} what is no key's ARN. */
  constructor(scope: Construct, id: string, { key, destroyable }: DataKeyProps) {
    super(scope, id);
    this.key = key === 'managed' ? this.#make(destroyable) : keyOfArn(this, key, 'key');
  }

  /** Functions that read and write the table, and send to and receive from the queues. */
  allow(...functions: readonly WinnowFunction[]): void {
    const via = ['dynamodb', 'sqs'].map((service) => `${service}.${Stack.of(this).region}.${Aws.URL_SUFFIX}`);
    const statement = {
      sid: 'UseKey',
      actions: USES.map((action) => `kms:${action}`),
      resources: [this.key.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': via } },
    };
    for (const { role } of functions) role.addToPrincipalPolicy(new PolicyStatement(statement));
  }

  #make(destroyable: boolean): Key {
    const key = new Key(this, 'Key', {
      description: 'Winnow: table and queues',
      enableKeyRotation: true,
      removalPolicy: destroyable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    // The schedule sets a tick aside that it could not deliver, in a queue that is encrypted too.
    key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'ScheduleSetsAside',
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    return key;
  }
}

/**
 * The KMS key of an ARN.
 *
 * @param setting that names it
 * @throws {Error} it is no key's ARN
 */
export function keyOfArn(scope: Construct, arn: string, setting: string): IKey {
  if (ARN.test(arn)) return Key.fromKeyArn(scope, 'Key', arn);
  throw new Error(`the ${setting} ${arn} is neither managed nor the ARN of a KMS key`);
}

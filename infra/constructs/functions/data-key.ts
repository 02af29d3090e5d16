import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { WinnowFunction } from './winnow-function.ts';

export interface DataKeyProps {
  /** `managed` for a key of the stack, or the ARN of an existing key. */
  readonly key: string;
  /** Whether the stack's key is deleted with the stack. Otherwise it is retained, like the table. */
  readonly destroyable: boolean;
}

const USES = ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'];
const ARN = /^arn:[^:]+:kms:[^:]+:\d+:key\/[\w-]+$/;

/**
 * The KMS key of the table, its stream and its backups, and of the queues. DynamoDB and SQS use it for their callers,
 * which need the permission too: only through these services, and in no other way.
 */
export class DataKey extends Construct {
  readonly key: IKey;

  /** @throws {Error} `key` is neither `managed` nor the ARN of a KMS key. */
  constructor(scope: Construct, id: string, { key, destroyable }: DataKeyProps) {
    super(scope, id);
    this.key = key === 'managed' ? this.#make(destroyable) : keyOfArn(this, key, 'key');
  }

  /** Allows functions to use the key through DynamoDB and SQS. */
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
    // EventBridge sends ticks that it could not deliver to a queue. This key encrypts that queue too.
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
 * @param setting the name of the setting, for the message
 * @throws {Error} it is not the ARN of a KMS key
 */
export function keyOfArn(scope: Construct, arn: string, setting: string): IKey {
  if (ARN.test(arn)) return Key.fromKeyArn(scope, 'Key', arn);
  throw new Error(`the setting ${setting} is ${arn}: it must be managed or the ARN of a KMS key`);
}

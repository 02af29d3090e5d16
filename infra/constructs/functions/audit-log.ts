import { Aws, CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { LOG_RETENTIONS } from '../../log-retentions.ts';
import { keyOfArn } from './data-key.ts';

export interface AuditLogProps {
  readonly auditPolicy?: string | undefined;
  /** In days. */
  readonly auditLogRetention?: number | undefined;
  /** `managed`, or the ARN of a KMS key. */
  readonly auditLogKey?: string | undefined;
}

/**
 * A log group that survives the stack, for the functions that answer requests. Lambda writes their output into it:
 * audit events and other lines. No request waits for it, and no event is stored twice. The log group, and a key that
 * the stack created for it, stay when the stack is deleted or the setting is removed.
 */
export class AuditLog extends Construct {
  readonly logGroup: LogGroup;

  /** @throws {Error} `key` is neither `managed` nor the ARN of a KMS key */
  constructor(scope: Construct, id: string, retention: number, key: string | undefined) {
    super(scope, id);
    this.logGroup = new LogGroup(this, 'Events', {
      // Each member of RetentionDays is a number of days.
      retention,
      removalPolicy: RemovalPolicy.RETAIN,
      ...(key !== undefined && { encryptionKey: this.#keyOf(key) }),
    });
    new CfnOutput(Stack.of(this), 'AuditLogGroup', {
      value: this.logGroup.logGroupName,
      description: 'The log group of audit events, which stays when the stack is deleted',
    });
  }

  #keyOf(key: string): IKey {
    if (key !== 'managed') return keyOfArn(this, key, 'auditLogKey');
    const made = new Key(this, 'Key', {
      description: 'Winnow: the audit log',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const { partition, region, account } = Stack.of(this);
    made.addToResourcePolicy(
      new PolicyStatement({
        sid: 'LogsEncrypt',
        principals: [new ServicePrincipal(`logs.${region}.${Aws.URL_SUFFIX}`)],
        actions: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
        resources: ['*'],
        conditions: {
          ArnLike: {
            'kms:EncryptionContext:aws:logs:arn': `arn:${partition}:logs:${region}:${account}:log-group:*`,
          },
        },
      }),
    );
    return made;
  }
}

/**
 * Creates the audit log of these settings; undefined if events go into the log groups of the functions.
 *
 * @throws {Error} a setting is invalid, or lacks another one that it needs
 */
export function auditLogOf(
  scope: Construct,
  { auditPolicy, auditLogRetention: retention, auditLogKey: key }: AuditLogProps,
): AuditLog | undefined {
  if (retention === undefined) {
    if (key === undefined) return undefined;
    throw new Error('auditLogKey needs auditLogRetention: without it there is no audit log group');
  }
  if (auditPolicy === undefined) {
    throw new Error('auditLogRetention needs auditPolicy: without it Winnow writes no audit events');
  }
  if (!LOG_RETENTIONS.some((days) => days === retention)) {
    throw new Error(
      `auditLogRetention is ${retention}: CloudWatch Logs supports only ${LOG_RETENTIONS.join(', ')} days`,
    );
  }
  return new AuditLog(scope, 'AuditLog', retention, key);
}

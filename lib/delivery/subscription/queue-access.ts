import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../json/index.ts';

/** The prefix of the names of Winnow's statements in a queue's policy. Other statements stay. */
const OURS = 'Winnow';
const RECEIVING = [
  ...['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility'],
  ...['GetQueueAttributes', 'GetQueueUrl'],
];

/** The receivers of a queue. */
export interface Receivers {
  /** ARNs of IAM users, roles and accounts. */
  readonly arns: readonly string[];
  /** The organization to which they must also belong; absent: no such condition. */
  readonly organization?: string;
}

/**
 * The policy of a queue that Winnow creates. It denies plain-text access, and the receivers may receive. `before` is
 * the current policy, whose other statements stay.
 */
export function accessPolicy(arn: string, { arns, organization }: Receivers, before?: string): string {
  const refusesPlainText = {
    Sid: `${OURS}RefusesPlainText`,
    Effect: 'Deny',
    Principal: '*',
    Action: 'sqs:*',
    Resource: arn,
    Condition: { Bool: { 'aws:SecureTransport': 'false' } },
  };
  const letsConsumers = {
    Sid: `${OURS}LetsConsumersReceive`,
    Effect: 'Allow',
    Principal: { AWS: [...arns] },
    Action: RECEIVING.map((action) => `sqs:${action}`),
    Resource: arn,
    ...(organization !== undefined && {
      Condition: { StringEquals: { 'aws:PrincipalOrgID': organization } },
    }),
  };
  const ours = arns.length === 0 ? [refusesPlainText] : [refusesPlainText, letsConsumers];
  return JSON.stringify({ Version: '2012-10-17', Statement: [...ours, ...statementsOfOthers(before)] });
}

/** A hash that identifies Winnow's policy in a state row. */
export function accessOf(receivers: Receivers): string {
  return createHash('sha256').update(accessPolicy('', receivers)).digest('hex').slice(0, 16);
}

function statementsOfOthers(policy: string | undefined): JsonObject[] {
  if (!policy) return [];
  const { Statement = [] } = JSON.parse(policy);
  return [Statement]
    .flat()
    .filter(isJsonObject)
    .filter(({ Sid }) => !String(Sid).startsWith(OURS));
}

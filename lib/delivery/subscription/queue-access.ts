import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../json/index.ts';

/** What the names of our statements in a queue's policy begin with. Whatever else is in it is left. */
const OURS = 'Winnow';
const RECEIVING = [
  ...['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility'],
  ...['GetQueueAttributes', 'GetQueueUrl'],
];

/** The receivers of a queue. */
export interface Receivers {
  /** ARNs of IAM users, roles and accounts. */
  readonly arns: readonly string[];
  /** The organization that they have to be of, too; absent: any, or none. */
  readonly organization?: string;
}

/**
 * The policy of a queue that is made here: nobody reaches it in plain text, and the receivers may receive. `before` is
 * the one that it has.
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

/** Tells one policy of ours from another, for a state row. */
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

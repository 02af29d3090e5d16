import type { PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import type { Gaps } from '../emulators.ts';

/** A grant as an emulator with these gaps has to hear it; without gaps, as it is. */
export function fitStatement(statement: PolicyStatementProps, gaps: Gaps): PolicyStatementProps {
  const { actions = [], conditions = {} } = statement;
  return {
    ...statement,
    actions: gaps.batches ? actions.flatMap(withBatch) : actions,
    conditions: gaps['leading-keys'] ? withoutLeadingKeys(conditions) : conditions,
  };
}

/** Those of SQS that can be done for several messages at once: AWS grants that with them. */
const BATCHED = new Set(['sqs:SendMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility']);

function withBatch(action: string): string[] {
  return BATCHED.has(action) ? [action, `${action}Batch`] : [action];
}

function withoutLeadingKeys(
  conditions: NonNullable<PolicyStatementProps['conditions']>,
): PolicyStatementProps['conditions'] {
  const operators = Object.entries(conditions).filter(([, keys]) => !('dynamodb:LeadingKeys' in keys));
  return Object.fromEntries(operators);
}

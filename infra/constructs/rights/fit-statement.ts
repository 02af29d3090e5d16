import type { PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import type { Gaps } from '../../emulators.ts';

/** Adapts a policy statement to an emulator with these gaps. Without gaps the statement does not change. */
export function fitStatement(statement: PolicyStatementProps, gaps: Gaps): PolicyStatementProps {
  const { actions = [], conditions = {} } = statement;
  return {
    ...statement,
    actions: gaps.batches ? actions.flatMap(withBatch) : actions,
    conditions: gaps['leading-keys'] ? withoutLeadingKeys(conditions) : conditions,
  };
}

/** SQS actions that also have a batch form. On AWS the permission includes it. */
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

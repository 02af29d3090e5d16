import type { PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import type { Gaps } from '../emulators.ts';

/** A grant as an emulator with these gaps has to hear it; without gaps, as it is. */
export function fitStatement(statement: PolicyStatementProps, gaps: Gaps): PolicyStatementProps {
  const { actions = [], conditions = {} } = statement;
  return {
    ...statement,
    actions: gaps['batch-sends'] ? actions.flatMap(withBatch) : actions,
    conditions: gaps['leading-keys'] ? withoutLeadingKeys(conditions) : conditions,
  };
}

function withBatch(action: string): string[] {
  return action === 'sqs:SendMessage' ? [action, `${action}Batch`] : [action];
}

function withoutLeadingKeys(
  conditions: NonNullable<PolicyStatementProps['conditions']>,
): PolicyStatementProps['conditions'] {
  const operators = Object.entries(conditions).filter(([, keys]) => !('dynamodb:LeadingKeys' in keys));
  return Object.fromEntries(operators);
}

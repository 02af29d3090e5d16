import type { Template } from '../../../infra/local/template.ts';
import { isAllowed, type PolicyRequest, type PolicyStatement } from '../../support/template/policy.ts';
import { createNamer } from '../../support/template/template-names.ts';
import { properties } from './synthesized.ts';

/** The principal and the context with which CloudWatch publishes an alarm of the stack's own account. */
export const BY_CLOUDWATCH = {
  principal: { type: 'Service', name: 'cloudwatch.amazonaws.com' },
  context: { 'aws:SourceAccount': ['AWS::AccountId'], 'aws:SecureTransport': ['true'] },
} as const;

/**
 * The actions that AWS would refuse when publishing to the topic of an alarm's action. Empty if the alarm is delivered.
 * For an encrypted topic, the policy of its key must also allow the principal.
 */
export function refusals(
  template: Template,
  action: unknown,
  by: Pick<PolicyRequest, 'principal' | 'context'> = BY_CLOUDWATCH,
): string[] {
  const name = createNamer(template);
  const topic = String(name(action));
  const policies = properties(template, 'AWS::SNS::TopicPolicy').filter(({ Topics }) =>
    (name(Topics) as string[]).includes(topic),
  );
  const ask = (statements: readonly PolicyStatement[], request: PolicyRequest) =>
    isAllowed(statements, request) ? [] : [`${request.action} on ${request.resource}`];
  const statements = policies.flatMap(({ PolicyDocument }) => name(PolicyDocument.Statement));
  const refused = ask(statements as PolicyStatement[], { ...by, action: 'sns:Publish', resource: topic });
  const key = keyOf(template, topic);
  if (key === undefined) return refused;
  const used = ['kms:Decrypt', 'kms:GenerateDataKey'];
  return [
    ...refused,
    ...used.flatMap((one) => ask(key.statements, { ...by, action: one, resource: key.id })),
  ];
}

/** The key of an encrypted topic. A key outside the template, such as AWS' own for SNS, allows no principal. */
function keyOf(template: Template, topic: string) {
  const name = createNamer(template);
  const named = (type: string, wanted: string) =>
    Object.entries(template.Resources).find(
      ([id, { Type }]) => Type === type && name({ Ref: id }) === wanted,
    )?.[1].Properties;
  const id = name(named('AWS::SNS::Topic', topic)?.KmsMasterKeyId);
  if (id === undefined) return undefined;
  const policy = named('AWS::KMS::Key', String(id))?.KeyPolicy as { Statement?: unknown } | undefined;
  return { id: String(id), statements: (name(policy?.Statement) ?? []) as PolicyStatement[] };
}

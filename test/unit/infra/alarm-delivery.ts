import type { Template } from '../../../infra/local/template.ts';
import { isAllowed, type PolicyRequest, type PolicyStatement } from '../../support/template/policy.ts';
import { createNamer } from '../../support/template/template-names.ts';
import { properties } from './synthesized.ts';

/** The context in which CloudWatch delivers an alarm of the stack's own account to a topic. */
export const BY_CLOUDWATCH = {
  principal: { type: 'Service', name: 'cloudwatch.amazonaws.com' },
  context: { 'aws:SourceAccount': ['AWS::AccountId'], 'aws:SecureTransport': ['true'] },
} as const;

/**
 * The reasons for which AWS would refuse to publish to the topic of an alarm's action; empty if the alarm is
 * delivered. An encrypted topic also needs its key, whose policy must admit the same principal.
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

/** The key of an encrypted topic; a key outside the template, as AWS' own for SNS, admits no principal. */
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

/** One statement of a policy document, its references resolved. */
export interface PolicyStatement {
  readonly Effect: string;
  /** Of a policy that is attached to a resource; whoever has a role is the principal of its own policies. */
  readonly Principal?: '*' | Readonly<Record<string, string | readonly string[]>>;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** What somebody asks of AWS, as IAM sees it. */
export interface PolicyRequest {
  /** Of a policy that is attached to a resource. */
  readonly principal?: { readonly type: 'AWS' | 'Service'; readonly name: string };
  readonly action: string;
  readonly resource: string;
  /** Condition keys with their values. */
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Whether a policy lets a request through: one statement allows it, and none denies it.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function isAllowed(statements: readonly PolicyStatement[], request: PolicyRequest): boolean {
  const effects = statements.filter((statement) => applies(statement, request)).map(({ Effect }) => Effect);
  return effects.includes('Allow') && !effects.includes('Deny');
}

function applies(statement: PolicyStatement, request: PolicyRequest): boolean {
  const { Principal, Action, Resource, Condition = {} } = statement;
  const conditions = Object.entries(Condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, expected]) => ({ operator, key, expected: [expected].flat() })),
  );
  return (
    (Principal === undefined || isMeant(Principal, request.principal)) &&
    [Action].flat().some((pattern) => like(pattern.toLowerCase(), request.action.toLowerCase())) &&
    [Resource].flat().some((pattern) => like(String(pattern), request.resource)) &&
    conditions.every(({ operator, key, expected }) => holds(operator, request.context?.[key] ?? [], expected))
  );
}

/** `*`, and `*` under `AWS`, is everybody, services among them. */
function isMeant(
  principal: NonNullable<PolicyStatement['Principal']>,
  asking: PolicyRequest['principal'],
): boolean {
  if (principal === '*' || principal.AWS === '*') return true;
  return asking !== undefined && [principal[asking.type] ?? []].flat().includes(asking.name);
}

/** The operators of our policies, as IAM defines them. */
function holds(operator: string, values: readonly string[], expected: readonly string[]): boolean {
  if (operator === 'Null') return String(values.length === 0) === expected[0];
  if (operator === 'StringEquals' || operator === 'Bool') {
    return values.length === 1 && expected.includes(values[0] ?? '');
  }
  if (operator === 'StringNotEquals') return !values.some((value) => expected.includes(value));
  if (operator === 'ForAllValues:StringEquals') return values.every((value) => expected.includes(value));
  if (operator === 'ForAllValues:StringLike') {
    return values.every((value) => expected.some((pattern) => like(pattern, value)));
  }
  throw new Error(`no policy of ours has ${operator}`);
}

function like(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(value);
}

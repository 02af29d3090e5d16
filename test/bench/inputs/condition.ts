/** One requirement of a generated selector; no two of a selector are on the same key, which event-ruler cannot say. */
export interface Condition {
  readonly key: string;
  readonly operator: '=' | 'in' | '!=' | 'notin' | 'exists' | '!';
  /** Empty for `exists` and `!`. */
  readonly values: readonly string[];
}

/** The selector as Kubernetes writes it: `app=web,env in (prod,qa),!canary`. */
export function toSelectorText(conditions: readonly Condition[]): string {
  return conditions.map(toText).join(',');
}

function toText({ key, operator, values }: Condition): string {
  switch (operator) {
    case '=':
    case '!=':
      return `${key}${operator}${values.join()}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join()})`;
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    default:
      throw operator satisfies never;
  }
}

/**
 * The same condition as an event-ruler rule, in JSON. `anything-but` asks for the field to be there; `!=` and
 * `notin` do not, so they are `anything-but` or absent.
 */
export function toRule(conditions: readonly Condition[]): string {
  return JSON.stringify(
    Object.fromEntries(conditions.map((condition) => [condition.key, patterns(condition)])),
  );
}

function patterns({ operator, values }: Condition): readonly unknown[] {
  switch (operator) {
    case '=':
    case 'in':
      return values;
    case '!=':
    case 'notin':
      return [{ 'anything-but': values }, { exists: false }];
    case 'exists':
      return [{ exists: true }];
    case '!':
      return [{ exists: false }];
    default:
      throw operator satisfies never;
  }
}

/** The same condition as an element of LabelSelector's `matchExpressions`. */
export function toExpression({ key, operator, values }: Condition) {
  return { key, operator: EXPRESSION_OPERATORS[operator], ...(values.length > 0 && { values }) };
}

const EXPRESSION_OPERATORS = {
  '=': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
} as const;

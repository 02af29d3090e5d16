/**
 * A filter pattern of an event source mapping: an object in the shape of the event, with an array of accepted values
 * at each leaf. See "Filter rule syntax" in the Lambda Developer Guide. Only the comparisons below are supported; any
 * other throws, so that no record passes by mistake.
 */
export type FilterPattern = { readonly [key: string]: FilterPattern | readonly FilterRule[] };

export type FilterRule =
  | string
  | number
  | boolean
  | null
  | { readonly prefix: string }
  | { readonly exists: boolean }
  | { readonly 'anything-but': readonly unknown[] };

/** Whether an event matches at least one pattern. Without patterns every event passes. */
export function passesFilters(event: unknown, patterns: readonly FilterPattern[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matchesPattern(event, pattern));
}

function matchesPattern(event: unknown, pattern: FilterPattern): boolean {
  return Object.entries(pattern).every(([key, expected]) => {
    const value = property(event, key);
    return isRules(expected)
      ? expected.some((rule) => matchesRule(value, rule))
      : matchesPattern(value, expected);
  });
}

function isRules(expected: FilterPattern | readonly FilterRule[]): expected is readonly FilterRule[] {
  return Array.isArray(expected);
}

function property(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function matchesRule(value: unknown, rule: FilterRule): boolean {
  if (typeof rule !== 'object' || rule === null) return value === rule;
  if ('prefix' in rule) return typeof value === 'string' && value.startsWith(rule.prefix);
  if ('exists' in rule) return (value !== undefined) === rule.exists;
  if ('anything-but' in rule) return value !== undefined && !rule['anything-but'].includes(value);
  throw new Error(`infra/local does not support the filter rule ${JSON.stringify(rule)}`);
}

import { parseSelector, type Requirement } from '../../lib/selectors/index.ts';

/** A value of a label that the set must have or must not have. `null`: the label is absent. */
export interface LabelChange {
  readonly key: string;
  readonly value: string | null;
  readonly wanted: boolean;
}

/**
 * Adds a value of a label to a selector, or excludes it. A wanted value joins the other wanted values of its key; it
 * leaves them if it is there already. A text that cannot be parsed is returned unchanged.
 */
export function withRequirement(text: string, { key, value, wanted }: LabelChange): string {
  const requirements = requirementsOf(text);
  if (requirements === undefined) return text;
  if (value === null) return joined([...without(requirements, key), wanted ? `!${key}` : key]);
  const [listing, excluding] = [
    wanted ? ['=', '==', 'in'] : ['!=', 'notin'],
    wanted ? ['!=', 'notin'] : ['=', '==', 'in'],
  ];
  const listed = requirements.find((one) => one.key === key && listing.includes(one.operator));
  const values = listed?.values ?? [];
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
  const others = requirements.filter(
    (one) => one !== listed && !(one.key === key && excluding.includes(one.operator)),
  );
  return joined([...others.map(String), ...(next.length === 0 ? [] : [requirementText(key, next, wanted)])]);
}

/** Removes all requirements on a key. */
export function withoutKey(text: string, key: string): string {
  const requirements = requirementsOf(text);
  return requirements === undefined ? text : joined(without(requirements, key));
}

function requirementText(key: string, values: readonly string[], wanted: boolean): string {
  const [only] = values;
  if (values.length === 1) return `${key}${wanted ? '=' : '!='}${only}`;
  return `${key} ${wanted ? 'in' : 'notin'} (${values.join(',')})`;
}

function requirementsOf(text: string): readonly Requirement[] | undefined {
  try {
    return parseSelector(text).requirements;
  } catch {
    return undefined;
  }
}

function without(requirements: readonly Requirement[], key: string): string[] {
  return requirements.filter((one) => one.key !== key).map(String);
}

/** The canonical text of requirements. */
function joined(requirements: readonly string[]): string {
  return String(parseSelector(requirements.join(',')));
}

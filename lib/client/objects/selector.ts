import type { PathValue } from './kind.ts';

/** A condition on one label, created by {@link not}, or {@link absent} or {@link exists}. */
export interface Condition {
  readonly operator: 'exists' | 'absent' | 'not';
  readonly values: readonly string[];
}

/** The label must not be there: `{ canary: absent }`. */
export const absent: Condition = { operator: 'absent', values: [] };
/** The label must be there, with any value: `{ site: exists }`. */
export const exists: Condition = { operator: 'exists', values: [] };

/** The label must have none of the values, or be absent: `{ tier: not('web') }`. */
export function not(...values: readonly [string, ...string[]]): Condition {
  return { operator: 'not', values };
}

/**
 * A label selector: text as kubectl accepts it (`site in (north,south),!canary`), or an object of conditions, all of
 * which must be true. A list means one of its values.
 */
export type LabelSelector = string | { readonly [label: string]: string | readonly string[] | Condition };

/** Values of fields that the objects must have, by path. `Body` has the types of the fields. */
export type FieldSelector<Path extends string, Body = unknown> = {
  readonly [Field in Path | 'metadata.name' | 'metadata.namespace']?: PathValue<Body, Field>;
};

const LABEL = /^([A-Za-z0-9.-]+\/)?[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)?$/;

/** @throws {TypeError} a text that is no label key */
export function requireLabelKey(label: string): void {
  if (!LABEL.test(label)) throw new TypeError(`"${label}" is not a label key; use prefix/name or name`);
}

/**
 * Returns a label selector as the text that the API accepts.
 *
 * @throws {TypeError} a key or a value that no label can have, or an empty list of values
 */
export function labelSelectorText(selector: LabelSelector): string {
  if (typeof selector === 'string') return selector;
  return Object.entries(selector)
    .map(([label, condition]) => {
      requireLabelKey(label);
      if (typeof condition === 'string') return `${label}=${labelValue(label, condition)}`;
      const { operator, values }: { operator: Condition['operator'] | 'in'; values: readonly string[] } =
        'operator' in condition ? condition : { operator: 'in', values: condition };
      switch (operator) {
        case 'exists':
          return label;
        case 'absent':
          return `!${label}`;
        case 'in':
          return `${label} in (${labelValues(label, values)})`;
        case 'not':
          return `${label} notin (${labelValues(label, values)})`;
        default:
          return operator satisfies never;
      }
    })
    .join(',');
}

/**
 * Returns a field selector as the text that the API accepts.
 *
 * @throws {TypeError} a field has no value. Without the condition, the selector would select more
 */
export function fieldSelectorText(
  fields: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  return Object.entries(fields)
    .map(([path, value]) => {
      if (value === undefined) throw new TypeError(`the field "${path}" has no value`);
      return `${path}=${String(value).replace(/[\\,=]/g, '\\$&')}`;
    })
    .join(',');
}

function labelValues(label: string, values: readonly string[]): string {
  if (values.length === 0) {
    throw new TypeError(`the condition on the label "${label}" has no values; use absent or exists`);
  }
  return values.map((value) => labelValue(label, value)).join(',');
}

/** A value with other characters would change the meaning of the text. */
function labelValue(label: string, value: string): string {
  if (VALUE.test(value)) return value;
  throw new TypeError(
    `"${value}" is not a value of the label "${label}"; use letters, digits, "-", "_" and "."`,
  );
}

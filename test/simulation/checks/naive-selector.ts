import type { Labels } from '../../../lib/selectors/index.ts';
import type { Asked, Snapshot } from '../history.ts';

type Holds = (value: string | undefined) => boolean;
type Form = readonly [pattern: RegExp, (operand: string) => Holds];

const valuesOf = (text: string) => text.split(',').map((value) => value.trim());

/**
 * The requirements of a label selector, written from the words of the labels page and not from the code under test. A
 * resource without the key satisfies `!=`, `notin` and `!key`, and no other.
 *
 * Source: kubernetes.io/docs/concepts/overview/working-with-objects/labels.
 */
const LABEL_FORMS: readonly Form[] = [
  [/^!\s*([^\s=!<>(),]+)$/, () => (value) => value === undefined],
  [/^([^\s=!<>(),]+)\s+in\s*\(([^()]*)\)$/, (list) => (value) => isOneOf(value, valuesOf(list))],
  [/^([^\s=!<>(),]+)\s+notin\s*\(([^()]*)\)$/, (list) => (value) => !isOneOf(value, valuesOf(list))],
  [/^([^\s=!<>(),]+)\s*!=\s*([^\s=!<>(),]*)$/, (wanted) => (value) => value !== wanted],
  [/^([^\s=!<>(),]+)\s*==?\s*([^\s=!<>(),]*)$/, (wanted) => (value) => value === wanted],
  [
    /^([^\s=!<>(),]+)\s*>\s*(-?\d+)$/,
    (bound) => (value) => isInteger(value) && Number(value) > Number(bound),
  ],
  [
    /^([^\s=!<>(),]+)\s*<\s*(-?\d+)$/,
    (bound) => (value) => isInteger(value) && Number(value) < Number(bound),
  ],
  [/^([^\s=!<>(),]+)$/, () => (value) => value !== undefined],
];

/** A field selector has `=`, `==` and `!=` only. */
const FIELD_FORMS: readonly Form[] = [
  [/^([^\s=!]+)\s*!=\s*(.*)$/, (wanted) => (value) => value !== wanted],
  [/^([^\s=!]+)\s*==?\s*(.*)$/, (wanted) => (value) => value === wanted],
];

interface Requirement {
  readonly key: string;
  readonly holds: Holds;
}

/**
 * Returns whether a reader's request includes an object, by texts alone.
 *
 * @throws {Error} if this naive reading does not understand a text
 */
export function selectorOf({
  namespace,
  namespaces,
  labelSelector,
  fieldSelector,
  anyOf = [''],
}: Asked): (snapshot: Snapshot) => boolean {
  const labels = requirementsOf(labelSelector, LABEL_FORMS);
  const fields = requirementsOf(fieldSelector, FIELD_FORMS);
  const either = anyOf.map((text) => requirementsOf(text, LABEL_FORMS));
  return (snapshot) =>
    (namespace === undefined || namespaceOf(snapshot.object) === namespace) &&
    namespaces?.includes(namespaceOf(snapshot.object)) !== false &&
    areMet(labels, snapshot) &&
    either.some((requirements) => areMet(requirements, snapshot)) &&
    fields.every(({ key, holds }) => holds(fieldOf(snapshot, key)));
}

function areMet(requirements: readonly Requirement[], { labels }: Snapshot): boolean {
  return requirements.every(({ key, holds }) => holds(labelOf(labels, key)));
}

/** The namespace in `namespace/name`. */
export function namespaceOf(object: string): string {
  return object.slice(0, object.indexOf('/'));
}

function requirementsOf(text: string | undefined, forms: readonly Form[]): Requirement[] {
  if (text === undefined || text.trim() === '') return [];
  return text.split(/,(?![^(]*\))/).map((part) => requirementOf(part.trim(), forms));
}

function requirementOf(text: string, forms: readonly Form[]): Requirement {
  for (const [pattern, meaning] of forms) {
    const [, key, operand = ''] = pattern.exec(text) ?? [];
    if (key !== undefined) return { key, holds: meaning(operand) };
  }
  throw new Error(`the naive selector does not understand ${JSON.stringify(text)}`);
}

function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function fieldOf({ object, phase }: Snapshot, field: string): string {
  if (field === 'metadata.namespace') return namespaceOf(object);
  if (field === 'metadata.name') return object.slice(object.indexOf('/') + 1);
  if (field === 'status.phase') return phase;
  throw new Error(`the naive selector does not know the field ${JSON.stringify(field)}`);
}

function isOneOf(value: string | undefined, values: readonly string[]): boolean {
  return value !== undefined && values.includes(value);
}

function isInteger(value: string | undefined): boolean {
  return value !== undefined && /^-?\d+$/.test(value);
}

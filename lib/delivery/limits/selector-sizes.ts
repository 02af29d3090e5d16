import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';

/** The fields of a Subscription's or a Tally's spec that hold selectors. */
export const SELECTOR_FIELDS = ['selector', 'labelSelector', 'fieldSelector', 'namespaceSelector'] as const;

/**
 * The size of a selector in bytes, as `kubectl -l` writes it. A text counts its own bytes. A LabelSelector counts its
 * keys, operators and values with one byte between them. Duplicates count twice.
 */
export function selectorSize(value: JsonValue | undefined): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (!isJsonObject(value)) return Buffer.byteLength(JSON.stringify(value));
  const { matchLabels, matchExpressions, ...others } = value;
  const labels = Object.entries(objectAt(matchLabels)).map(
    ([key, one]) => bytesOf(key) + 1 + bytesOf(one) + 1,
  );
  const expressions = (Array.isArray(matchExpressions) ? matchExpressions : []).map(expressionSize);
  const unknown = Object.keys(others).length === 0 ? 0 : bytesOf(others);
  return [...labels, ...expressions].reduce((sum, size) => sum + size, unknown);
}

/** The size of all selectors of a spec together, in bytes. */
export function selectorsSize(spec: JsonObject): number {
  return SELECTOR_FIELDS.reduce((sum, field) => sum + selectorSize(spec[field]), 0);
}

function expressionSize(given: JsonValue): number {
  const { key, operator, values } = objectAt(given);
  const listed = (Array.isArray(values) ? values : []).map((value) => bytesOf(value) + 1);
  return listed.reduce((sum, size) => sum + size, bytesOf(key) + 1 + bytesOf(operator) + 1);
}

function bytesOf(value: JsonValue | undefined): number {
  if (value === undefined || value === null) return 0;
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
}

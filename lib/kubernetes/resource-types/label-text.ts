import type { JsonObject, JsonValue } from '../../json/index.ts';
import { fromLabelSelector, SelectorError } from '../../selectors/index.ts';

/** The text that kubectl prints for an empty value. */
export const NONE = '<none>';

/** Formats labels as `a=1,b=2`, sorted by key. */
export function formatLabels(labels: JsonObject): string {
  const pairs = Object.keys(labels).sort();
  return pairs.map((key) => `${key}=${String(labels[key])}`).join(',') || NONE;
}

/**
 * Formats a LabelSelector in the selector language; `<error>` for an invalid one that was stored before validation
 * existed.
 */
export function formatLabelSelector(selector: JsonValue | undefined): string {
  try {
    return fromLabelSelector(selector).toString() || NONE;
  } catch (error) {
    if (error instanceof SelectorError) return '<error>';
    throw error;
  }
}

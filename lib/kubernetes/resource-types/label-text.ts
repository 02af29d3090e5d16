import type { JsonObject, JsonValue } from '../../json/index.ts';
import { fromLabelSelector, SelectorError } from '../../selectors/index.ts';

/** What kubectl prints where there is nothing to print. */
export const NONE = '<none>';

/** `a=1,b=2`, sorted by key. */
export function formatLabels(labels: JsonObject): string {
  const pairs = Object.keys(labels).sort();
  return pairs.map((key) => `${key}=${String(labels[key])}`).join(',') || NONE;
}

/** A LabelSelector in the selector language; `<error>` for one that was stored before it was validated. */
export function formatLabelSelector(selector: JsonValue | undefined): string {
  try {
    return fromLabelSelector(selector).toString() || NONE;
  } catch (error) {
    if (error instanceof SelectorError) return '<error>';
    throw error;
  }
}

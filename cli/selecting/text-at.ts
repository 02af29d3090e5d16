import { type JsonObject, valueAt } from '../../lib/json/index.ts';

/** The text at a dotted path of an answer, '' where there is none. */
export function textAt(item: JsonObject, path: string): string {
  const value = valueAt(item, path);
  return typeof value === 'string' ? value : '';
}

import { type JsonObject, valueAt } from '../../lib/json/index.ts';

/** The string at a dotted path of an answer; empty if there is none. */
export function textAt(item: JsonObject, path: string): string {
  const value = valueAt(item, path);
  return typeof value === 'string' ? value : '';
}

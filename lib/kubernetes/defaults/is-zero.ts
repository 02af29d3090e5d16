import type { JsonValue } from '../../json/index.ts';

/** Whether Go would take a field for not set: nothing, or the zero value of a string or number. */
export function isZero(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || value === 0;
}

import type { JsonValue } from '../../json/index.ts';

/** Whether Go treats a field as unset: null, absent, or the zero value of a string or number. */
export function isZero(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || value === 0;
}

/** Compares by code units. For names, which are ASCII, this is byte order. */
export function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

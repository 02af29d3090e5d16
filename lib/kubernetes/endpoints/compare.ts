/** By code units: the order of names, which are ASCII, in bytes. */
export function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

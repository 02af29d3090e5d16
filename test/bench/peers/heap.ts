/** Several times, for what one round finalizes or promotes goes in the next. Run with `--expose-gc`. */
export function collectGarbage(): void {
  for (let round = 0; round < 3; round++) globalThis.gc?.();
}

/** Bytes of the heap and of the buffers beside it that are in use. */
export function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

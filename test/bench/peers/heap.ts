/** Bytes of the heap and of the buffers beside it that are in use. Run with `--expose-gc`. */
export function usedBytes(): number {
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

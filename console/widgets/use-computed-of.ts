import { computed, type ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

/**
 * A value that is computed from signals. `useComputed` would go on with the signals of the first call after the part gets
 * other ones, so the signals and functions that `compute` uses are named.
 */
export function useComputedOf<Value>(uses: readonly unknown[], compute: () => Value): ReadonlySignal<Value> {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names them
  return useMemo(() => computed(compute), uses);
}

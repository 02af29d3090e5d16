import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { now, useAsked } from '../widgets/index.ts';

/** Asks again and again while the tab is visible. The last answer stays until the next one is there. */
export function usePolled<Answer>(
  key: string,
  seconds: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
) {
  const asked = useAsked(key, ask);
  const { again } = asked;
  // `now` rests while the tab is hidden.
  const turn = useComputed(() => Math.floor(now.value / (seconds * 1_000))).value;
  const first = useRef(turn);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks once
  useEffect(() => {
    if (turn !== first.current) again();
  }, [turn]);
  return asked;
}

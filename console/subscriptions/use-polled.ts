import { useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { explained } from '../api/index.ts';
import { now, useAsked } from '../widgets/index.ts';

interface Pace {
  /** The pause between two questions, in s. */
  readonly seconds: number;
  /** A text whose change asks at once. */
  readonly change?: string;
}

/**
 * Asks again and again while the tab is visible. The last answer stays until the next one is there. A slow answer is
 * waited for: only a change of the key ends its question. While the server does not answer, the last answer stays.
 */
export function usePolled<Answer>(
  key: string,
  { seconds, change = '' }: Pace,
  ask: (signal: AbortSignal) => Promise<Answer>,
) {
  const isBusy = useRef(false);
  const last = useRef<{ readonly key: string; readonly answer: Answer }>(undefined);
  const asked = useAsked(key, async (signal) => {
    isBusy.current = true;
    try {
      const answer = await ask(signal);
      last.current = { key, answer };
      return answer;
    } finally {
      if (!signal.aborted) isBusy.current = false;
    }
  });
  const { again } = asked;
  // `now` rests while the tab is hidden.
  const turn = useComputed(() => Math.floor(now.value / (seconds * 1_000))).value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn and each change asks once
  useEffect(() => {
    if (!isBusy.current) again();
  }, [turn, change]);
  const kept = last.current?.key === key ? last.current.answer : undefined;
  const isRefused = asked.error !== undefined && explained(asked.error).code !== '';
  return { answer: kept, error: kept === undefined || isRefused ? asked.error : undefined, again };
}

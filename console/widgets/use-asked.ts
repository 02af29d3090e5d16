import { useEffect, useState } from 'preact/hooks';

/** An answer on its way, an answer, or a failure. */
export interface UseAsked<Answer> {
  readonly answer?: Answer | undefined;
  readonly error?: Error | undefined;
  /** Asks again. */
  readonly again: () => void;
}

/**
 * Asks when the part is shown, and again whenever the key changes. The last answer stays until the next one is there. An
 * answer that comes late, after a newer question, is dropped.
 */
export function useAsked<Answer>(
  key: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
): UseAsked<Answer> {
  const [state, setState] = useState<{ key: string; answer?: Answer; error?: Error }>({ key });
  const [times, setTimes] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the question
  useEffect(() => {
    const ending = new AbortController();
    ask(ending.signal).then(
      (answer) => !ending.signal.aborted && setState({ key, answer }),
      (error: Error) => !ending.signal.aborted && setState({ key, error }),
    );
    return () => ending.abort(new Error('another question was asked'));
  }, [key, times]);
  return {
    answer: state.answer,
    error: state.key === key ? state.error : undefined,
    again: () => setTimes(times + 1),
  };
}

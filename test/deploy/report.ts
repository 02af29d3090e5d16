import { styleText } from 'node:util';

export interface Outcome {
  readonly step: string;
  readonly seconds: number;
  /** `failed` and `not run` carry no note. */
  readonly result: 'ok' | 'failed' | 'not run';
  readonly note: string;
}

const COLOURS = { ok: 'green', failed: 'red', 'not run': 'dim' } as const;

/** The table at the end: step, seconds, result. */
export function table(outcomes: readonly Outcome[]): string {
  const width = Math.max(...outcomes.map(({ step }) => step.length));
  const rows = outcomes.map(({ step, seconds, result, note }) => {
    const took = result === 'not run' ? '' : seconds.toFixed(1);
    return `${step.padEnd(width)}  ${took.padStart(7)}  ${styleText(COLOURS[result], result)}${note && `: ${note}`}`;
  });
  return [`${'step'.padEnd(width)}  seconds  result`, ...rows].join('\n');
}

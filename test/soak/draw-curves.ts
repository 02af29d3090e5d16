import type { Measured } from './service/soaked-service.ts';

/** What was measured of the service in one stretch of time. */
export interface Sample extends Measured {
  /** Seconds since the beginning. */
  readonly at: number;
  readonly phase: string;
  /** MiB that the soak itself has resident: its history, and the queues of the embedded SQS. */
  readonly soak: number;
  /** ms that half, and all but one in a hundred, of the requests took. */
  readonly median: number;
  readonly slowest: number;
}

const BARS = '▁▂▃▄▅▆▇█';
const WIDTH = 60;

/** A line for each measure, from left to right, with its least and its most. */
export function drawCurves(samples: readonly Sample[]): string {
  const lines = [
    ['server, MiB', samples.map(({ server }) => server.memory)],
    ['database, MiB', samples.map(({ database }) => database.memory)],
    ['soak itself, MiB', samples.map(({ soak }) => soak)],
    ['descriptors', samples.map(({ server }) => server.descriptors)],
    ['latency p50, ms', samples.map(({ median }) => median)],
    ['latency p99, ms', samples.map(({ slowest }) => slowest)],
  ] as const;
  return lines.map(([name, values]) => `${name.padEnd(16)} ${curve(values)}`).join('\n');
}

function curve(values: readonly number[]): string {
  const step = Math.max(1, values.length / WIDTH);
  const shown = Array.from({ length: Math.min(WIDTH, values.length) }, (_, at) =>
    Math.max(
      ...values.slice(
        Math.floor(at * step),
        Math.max(Math.floor((at + 1) * step), Math.floor(at * step) + 1),
      ),
    ),
  );
  const most = Math.max(...values, 1);
  const bars = shown.map(
    (value) => BARS[Math.min(BARS.length - 1, Math.floor((value / most) * BARS.length))],
  );
  return `${bars.join('')}  ${Math.round(Math.min(...values))} to ${Math.round(most)}`;
}

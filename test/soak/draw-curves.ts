/** What was measured of the service in one stretch of time. */
export interface Sample {
  /** Seconds since the beginning. */
  readonly at: number;
  /** MiB of memory that its process has resident. */
  readonly memory: number;
  /** Files and sockets that it has open. */
  readonly descriptors: number;
  /** ms that half, and all but one in a hundred, of the requests took. */
  readonly median: number;
  readonly slowest: number;
}

const BARS = '▁▂▃▄▅▆▇█';
const WIDTH = 60;

/** A line for each measure, from left to right, with its least and its most. */
export function drawCurves(samples: readonly Sample[]): string {
  const lines = [
    ['memory, MiB', samples.map(({ memory }) => memory)],
    ['descriptors', samples.map(({ descriptors }) => descriptors)],
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

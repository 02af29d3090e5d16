import type { Clock } from '../../lib/platform/index.ts';

/** How long a long poll collects further events after its first one, in ms. */
const COLLECT = 50;

export interface LongPollOptions {
  readonly clock: Clock;
  readonly maximumBytes: number;
  /** Ends the watch cleanly. */
  end(): void;
}

/** The lines of a watch as one text; `cut` is true if more lines followed than fit. */
export interface LongPoll {
  readonly text: string;
  readonly cut: boolean;
}

/**
 * Serves a watch over a transport that buffers. The watch ends shortly after its first event, and the client opens
 * the next one. No line is cut in two.
 */
export async function collectLines(
  lines: AsyncIterable<string>,
  options: LongPollOptions,
): Promise<LongPoll> {
  const { clock, maximumBytes, end } = options;
  const collected: string[] = [];
  let bytes = 0;
  let ending = false;
  for await (const line of lines) {
    bytes += Buffer.byteLength(JSON.stringify(line));
    if (bytes > maximumBytes) {
      end();
      return { text: collected.join(''), cut: true };
    }
    collected.push(line);
    if (line !== '\n' && !ending) {
      ending = true;
      void clock.sleep(COLLECT).then(end);
    }
  }
  return { text: collected.join(''), cut: false };
}

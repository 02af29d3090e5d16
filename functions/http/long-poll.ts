import type { Clock } from '../../lib/platform/index.ts';

/** How long after its first event a long poll collects what follows. */
const COLLECT = 50;

export interface LongPollOptions {
  readonly clock: Clock;
  readonly maximumBytes: number;
  /** Ends the watch cleanly. */
  end(): void;
}

/** A watch's lines as one text; `cut` when there were more than fit. */
export interface LongPoll {
  readonly text: string;
  readonly cut: boolean;
}

/**
 * A watch where the transport buffers: it ends shortly after its first event, and clients come again. Lines
 * are kept whole.
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

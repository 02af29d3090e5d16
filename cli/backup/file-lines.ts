import { createReadStream } from 'node:fs';

export interface FileLine {
  /** Starts at 1. */
  readonly number: number;
  readonly text: string;
  /** The offset in bytes of the first byte after the line and its line feed. */
  readonly end: number;
}

const LINE_FEED = 0x0a;

/** Yields the complete lines of a file. Text after the last line feed is not a line. */
export async function* fileLines(path: string): AsyncGenerator<FileLine> {
  let rest: Buffer[] = [];
  let number = 0;
  let end = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, at)]);
      rest = [];
      from = at + 1;
      number += 1;
      end += line.length + 1;
      yield { number, text: line.toString(), end };
    }
    rest.push(chunk.subarray(from));
  }
}

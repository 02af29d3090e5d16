import type { Readable } from 'node:stream';

/** Reads a stream as UTF-8; undefined if it has more than `most` bytes. */
export async function readText(stream: Readable, most: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length;
    if (bytes > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

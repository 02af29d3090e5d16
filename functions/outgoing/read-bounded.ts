/** Reads the text of an answer. Rejects if it is longer than `maximum` bytes. */
export async function readBounded(body: AsyncIterable<Uint8Array>, maximum: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maximum) throw new Error(`the answer is longer than ${maximum} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

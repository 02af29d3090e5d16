/** The text of an answer. Rejects where it is longer than that many bytes. */
export async function readBounded(body: AsyncIterable<Uint8Array>, maximum: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maximum) throw new Error(`it answered more than ${maximum} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Replaces `node:stream/web`, with which middy checks whether a body is a stream. Importing the original costs more
 * than a millisecond per start. Node creates the global on first use.
 */
export const ReadableStream = {
  [Symbol.hasInstance]: (value: unknown): boolean => value instanceof globalThis.ReadableStream,
};

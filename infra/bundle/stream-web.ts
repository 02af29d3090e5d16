/**
 * Stands in for `node:stream/web`, of which middy asks whether a body is a stream of it: to import it takes a start
 * more than a millisecond. Node makes its global when it is first looked at.
 */
export const ReadableStream = {
  [Symbol.hasInstance]: (value: unknown): boolean => value instanceof globalThis.ReadableStream,
};

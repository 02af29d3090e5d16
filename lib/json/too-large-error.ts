/**
 * The error for a value that exceeds a size limit, such as `metadata: 262145 bytes, the limit is 262144`. The answer
 * is 413.
 */
export class TooLargeError extends Error {
  override name = 'TooLargeError';
  readonly size: number;
  readonly limit: number;

  constructor(
    what: string,
    size: number,
    { limit, unit }: { readonly limit: number; readonly unit: string },
  ) {
    super(`${what}: ${size} ${unit}, the limit is ${limit}`);
    this.size = size;
    this.limit = limit;
  }
}

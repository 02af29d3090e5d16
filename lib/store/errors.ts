/** The errors of the store, one class for each cause. Each names the HTTP status that the API returns for it. */

/** The requested resourceVersion is above the head. Answered as 504 "Too large resource version". */
export class FutureVersionError extends Error {
  override name = 'FutureVersionError';
  readonly asked: number;
  readonly head: number;

  constructor(asked: number, head: number) {
    super(`Too large resource version: ${asked}, current: ${head}`);
    this.asked = asked;
    this.head = head;
  }
}

/** Counting so many objects by their labels would take too long. Answered as 413. */
export class TooManyToCountError extends Error {
  override name = 'TooManyToCountError';
  readonly limit: number;
  /** Whether the collection's rows were read, because no index was usable. */
  readonly isScan: boolean;

  constructor(limit: number, isScan: boolean) {
    super(`there are more than ${limit} objects to count`);
    this.limit = limit;
    this.isScan = isScan;
  }
}

/** One transaction cannot index the object's labels and owners. Answered as 422 on `field`. */
export class LabelLimitError extends Error {
  override name = 'LabelLimitError';
  readonly field: string;
  readonly detail: string;

  constructor(detail: string, field = 'metadata.labels') {
    super(detail);
    this.field = field;
    this.detail = detail;
  }
}

/** The table throttled the request, and did not carry it out. Answered as 429 with Retry-After. */
export class ThrottledError extends Error {
  override name = 'ThrottledError';
}

/**
 * The table did not answer, or answered that it failed. The operation may have been carried out. Answered as 429 with
 * Retry-After.
 */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

/** The disk of a local database is full; nothing was written. DynamoDB has no such error. Answered as 503. */
export class StorageFullError extends Error {
  override name = 'StorageFullError';
}

/** The request's time ended before the answer. The operation may have been carried out. Answered as 504. */
export class OutOfTimeError extends Error {
  override name = 'OutOfTimeError';
}

/** Other writers changed the object during every attempt; a retry may succeed. Answered as 429 with Retry-After. */
export class ContentionError extends Error {
  override name = 'ContentionError';
}

/** The request's deadline came before the write's outcome was known. Answered as 504, never as 409. */
export class UndecidedError extends Error {
  override name = 'UndecidedError';
}

/** The table's rows use a schema version that this release does not support. Answered as 503. */
export class UnknownSchemaError extends Error {
  override name = 'UnknownSchemaError';
  readonly version: number;

  constructor(version: number, { oldest, newest }: { readonly oldest: number; readonly newest: number }) {
    const known = oldest === newest ? `version ${newest}` : `versions ${oldest} to ${newest}`;
    super(
      `the table's rows have schema version ${version}, but this release supports only ${known} and refuses to use ` +
        `the table. Deploy a release that supports version ${version}`,
    );
    this.version = version;
  }
}

/** The requested journal entries are compacted; the caller must list again. Answered as 410 Expired. */
export class GoneError extends Error {
  override name = 'GoneError';
}

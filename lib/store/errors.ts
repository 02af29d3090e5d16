/** What the store refuses or fails with, one class a cause; each says what a caller answers. */

/** A resourceVersion above the head was asked for. Answered as 504 "Too large resource version". */
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

/** To count so many objects by their labels would take too long. Answered as 413. */
export class TooManyToCountError extends Error {
  override name = 'TooManyToCountError';
  readonly limit: number;
  /** The collection was read, for want of an index. */
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

/** The table is asked too much: what was asked was not done. Answered as 429 with Retry-After. */
export class ThrottledError extends Error {
  override name = 'ThrottledError';
}

/** The table gave no answer, or that it failed: what was asked may be done. Answered as 429 with Retry-After. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

/** The disk of a local database is full: what was asked was not done. DynamoDB has no such error. Answered as 503. */
export class StorageFullError extends Error {
  override name = 'StorageFullError';
}

/** The time for the request was over first: what was asked may be done. Answered as 504. */
export class OutOfTimeError extends Error {
  override name = 'OutOfTimeError';
}

/** Somebody else wrote the object each time; worth another try. Answered as 429 with Retry-After. */
export class ContentionError extends Error {
  override name = 'ContentionError';
}

/** The request's deadline came before the write's outcome was known. Answered as 504, never as 409. */
export class UndecidedError extends Error {
  override name = 'UndecidedError';
}

/** The table's rows are of a schema that this version does not know. Answered as 503. */
export class UnknownSchemaError extends Error {
  override name = 'UnknownSchemaError';
  readonly version: number;

  constructor(version: number, { oldest, newest }: { readonly oldest: number; readonly newest: number }) {
    const known = oldest === newest ? `version ${newest}` : `versions ${oldest} to ${newest}`;
    super(
      `the table's rows are written in version ${version} of their schema, and this Winnow knows ${known}: ` +
        'it does nothing with them. Deploy one that knows it',
    );
    this.version = version;
  }
}

/** The entries asked for are compacted: the caller has to list again. Answered as 410 Expired. */
export class GoneError extends Error {
  override name = 'GoneError';
}

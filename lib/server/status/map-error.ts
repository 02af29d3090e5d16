import { TooLargeError } from '../../json/index.ts';
import type { Logger } from '../../platform/index.ts';
import { SelectorError } from '../../selectors/index.ts';
import {
  ContentionError,
  FutureVersionError,
  GoneError,
  LabelLimitError,
  OutOfTimeError,
  StorageFullError,
  ThrottledError,
  UnavailableError,
  UndecidedError,
  UnknownSchemaError,
} from '../../store/index.ts';
import {
  ApiError,
  badRequest,
  expired,
  internalError,
  invalid,
  type KindNames,
  serviceUnavailable,
  timedOut,
  tooLarge,
  tooManyRequests,
  versionAhead,
} from './status.ts';

/** Errors after which nothing was written, and the same request may succeed later. */
const TRY_AGAIN = [ContentionError, ThrottledError, UnavailableError];

/** Errors after which nothing was done, and which an operator must fix first. */
const NOT_SERVED = [StorageFullError, UnknownSchemaError];

/** Errors of timeouts. The message says what is known of the write. */
const OUT_OF_TIME = [OutOfTimeError, UndecidedError];

/** Errors whose cause is logged, so that an operator can find it. */
const TABLE_FAILURES = [ThrottledError, UnavailableError, ...NOT_SERVED, ...OUT_OF_TIME];

/** The object of the request, for messages that name it, and the log for details that clients must not see. */
export interface ErrorContext {
  readonly logger: Logger;
  readonly type?: KindNames;
  readonly name?: string;
  /** Whether the request may have changed something. */
  readonly writes?: boolean;
}

/** The error to answer for anything thrown. An unknown error is logged and answered with 500, without its details. */
export function mapError(
  error: unknown,
  { logger, type, name = '', writes = false }: ErrorContext,
): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof LabelLimitError && type !== undefined) return labelLimitExceeded(type, name, error);
  const known = error instanceof Error ? mapKnown(error) : undefined;
  if (known === undefined) {
    logger.error('request failed', { error });
  } else if (TABLE_FAILURES.some((failure) => error instanceof failure)) {
    logger.warn('the table failed a request', { error });
  }
  return known ?? internalError(writes);
}

/** The error of an object with more labels than one transaction can index. */
export function labelLimitExceeded(
  type: KindNames,
  name: string,
  { field, detail }: LabelLimitError,
): ApiError {
  return invalid(type, name, [{ type: 'TooMany', field, detail }]);
}

function mapKnown(error: Error): ApiError | undefined {
  if (NOT_SERVED.some((type) => error instanceof type)) return serviceUnavailable(error.message);
  if (error instanceof GoneError) return expired(error.message);
  if (error instanceof FutureVersionError) return versionAhead(error.message);
  if (error instanceof TooLargeError) return tooLarge(error.message);
  if (TRY_AGAIN.some((type) => error instanceof type)) return tooManyRequests(error.message);
  if (OUT_OF_TIME.some((type) => error instanceof type)) {
    return timedOut(`request did not complete within the allotted timeout: ${error.message}`);
  }
  if (error instanceof SelectorError) return badRequest(error.message);
  return undefined;
}

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

/** Nothing was written, and the same request may well succeed in a while. */
const TRY_AGAIN = [ContentionError, ThrottledError, UnavailableError];

/** Nothing was done, and somebody has to act first. */
const NOT_SERVED = [StorageFullError, UnknownSchemaError];

/** The message says what is known of a write. */
const OUT_OF_TIME = [OutOfTimeError, UndecidedError];

/** Refusals that an operator should be able to look the cause of up. */
const TABLE_FAILURES = [ThrottledError, UnavailableError, ...NOT_SERVED, ...OUT_OF_TIME];

/** What the request was about, for the messages that name it, and where to log what must not be told. */
export interface ErrorContext {
  readonly logger: Logger;
  readonly type?: KindNames;
  readonly name?: string;
  /** Whether the request may have changed something. */
  readonly writes?: boolean;
}

/** The one Status of anything thrown. What is not known is logged, answered as 500 and told nothing about. */
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

/** The refusal of an object whose labels one transaction cannot index. */
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

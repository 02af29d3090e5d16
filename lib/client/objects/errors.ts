/** The body of an answer that reports an error: a Kubernetes `Status`. */
export interface Status {
  readonly status?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
  };
}

/** One fault of a request: `field` names the wrong field. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

interface ErrorDetails {
  /** The HTTP status of the answer; 0 without an answer. */
  readonly code?: number;
  readonly status?: Status | undefined;
  /** The id of the request in the audit log of Winnow. */
  readonly auditId: string;
  readonly lostAnswers?: number | undefined;
  readonly cause?: unknown;
}

/** A request that failed. Each frequent reason has a class of its own. */
export class WinnowError extends Error {
  // A minifier would change the name of the class.
  override readonly name: string = 'WinnowError';
  /** The HTTP status of the answer; 0 without an answer. */
  readonly code: number;
  /** The reason in the Status, such as `NotFound`. Empty without a Status. */
  readonly reason: string;
  readonly status: Status | undefined;
  /** The id of the request, which the client chose. The audit log and the object's history have it. */
  readonly auditId: string;
  /** The number of earlier attempts whose outcome is unknown. */
  readonly lostAnswers: number;

  constructor(message: string, { code = 0, status, auditId, lostAnswers = 0, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.reason = status?.reason ?? '';
    this.status = status;
    this.auditId = auditId;
    this.lostAnswers = lostAnswers;
  }

  /** The single faults, by field. */
  get causes(): readonly StatusCause[] {
    return this.status?.details?.causes ?? [];
  }
}

/** 401: the token is missing, invalid or expired. */
export class UnauthorizedError extends WinnowError {
  override readonly name = 'UnauthorizedError';
}
/** 403: no role allows the request. */
export class ForbiddenError extends WinnowError {
  override readonly name = 'ForbiddenError';
}
/** 404: there is no such object or resource type. */
export class NotFoundError extends WinnowError {
  override readonly name = 'NotFoundError';
}
/** 409: an object of this name exists. */
export class AlreadyExistsError extends WinnowError {
  override readonly name = 'AlreadyExistsError';
}
/** 409: the object was changed in the meantime, or another manager owns a field. */
export class ConflictError extends WinnowError {
  override readonly name = 'ConflictError';
}
/** 410: the resourceVersion or the page token is older than the journal. */
export class ExpiredError extends WinnowError {
  override readonly name = 'ExpiredError';
}
/** 422: the server refused the object. `causes` names the fields. */
export class InvalidError extends WinnowError {
  override readonly name = 'InvalidError';
}
/** 429: too many requests, also after the repetitions. */
export class TooManyRequestsError extends WinnowError {
  override readonly name = 'TooManyRequestsError';
}
/** The server or the network failed, or cut the answer. If the request was a write, it was not applied. */
export class UnavailableError extends WinnowError {
  override readonly name = 'UnavailableError';
}
/**
 * The answer to a write is lost, so the write may have been applied. The client does not repeat it: read the object
 * before you repeat it.
 */
export class OutcomeUnknownError extends WinnowError {
  override readonly name = 'OutcomeUnknownError';
}

const BY_REASON: Readonly<Record<string, typeof WinnowError>> = {
  Unauthorized: UnauthorizedError,
  Forbidden: ForbiddenError,
  NotFound: NotFoundError,
  AlreadyExists: AlreadyExistsError,
  Conflict: ConflictError,
  Expired: ExpiredError,
  Gone: ExpiredError,
  Invalid: InvalidError,
  TooManyRequests: TooManyRequestsError,
  ServiceUnavailable: UnavailableError,
  Timeout: UnavailableError,
};

/** The classes of answers without a Status, for example those of a proxy. */
const BY_CODE: Readonly<Record<number, typeof WinnowError>> = {
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  410: ExpiredError,
  429: TooManyRequestsError,
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
};

/** An answer that reports an error. */
export interface Refusal {
  /** The method and the path of the request. */
  readonly request: string;
  readonly code: number;
  /** The body of the answer. */
  readonly text: string;
  readonly auditId: string;
  readonly writes: boolean;
  readonly lostAnswers?: number | undefined;
}

/** Returns the error of an answer, in the class of its reason. */
export function errorOf({ request, code, text, auditId, writes, lostAnswers }: Refusal): WinnowError {
  const status = readStatus(text);
  const message = `${request}: ${status?.message ?? withoutStatus(code)}`;
  const details = { code, status, auditId, lostAnswers };
  if (writes && code >= 500 && mayBeApplied(status)) return new OutcomeUnknownError(message, details);
  const byReason = BY_REASON[status?.reason ?? ''];
  return new (byReason ?? BY_CODE[code] ?? WinnowError)(message, details);
}

/** Winnow answers 404 without a Status if it does not serve the path. */
function withoutStatus(code: number): string {
  return code === 404 ? 'HTTP status 404: the server does not serve this kind' : `HTTP status ${code}`;
}

/** Returns the error of a request whose last attempt failed. An earlier attempt may have been applied. */
export function finalError(error: WinnowError, lostAnswers: number): WinnowError {
  const isDone = error instanceof UnavailableError || error instanceof TooManyRequestsError;
  if (lostAnswers === 0 || !isDone) return error;
  const { message, code, status, auditId, cause } = error;
  return new OutcomeUnknownError(message, { code, status, auditId, lostAnswers, cause });
}

/** Returns the error of an `ERROR` event, which ends a watch. */
export function errorOfEvent(request: string, status: Status, auditId: string): WinnowError {
  return errorOf({ request, code: status.code ?? 500, text: JSON.stringify(status), auditId, writes: false });
}

/** A Status of Winnow says so if a write may have been applied. A proxy does not know it. */
function mayBeApplied(status: Status | undefined): boolean {
  return status === undefined || /may have been applied/.test(status.message ?? '');
}

function readStatus(text: string): Status | undefined {
  try {
    const body = JSON.parse(text);
    return body?.kind === 'Status' ? body : undefined;
  } catch {
    return undefined;
  }
}

/** The cause of an UnavailableError if the server sent nothing for too long. */
export class SilenceError extends Error {}

/** The text of whatever was thrown. An `instanceof` would miss errors of another realm. */
export function messageOf(error: unknown): string {
  return (error as Error | undefined)?.message ?? String(error);
}

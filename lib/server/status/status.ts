import type { JsonObject } from '../../json/index.ts';
import { type FieldError, formatFieldError } from '../../selectors/index.ts';

export interface StatusCause {
  readonly reason?: string;
  readonly message: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The name of a resource type in messages: `pods`, `deployments.apps`. */
export interface ResourceNames {
  readonly group: string;
  readonly resource: string;
}

/** The name of a kind in messages: `Pod`, `Deployment.apps`. */
export interface KindNames {
  readonly group: string;
  readonly kind: string;
}

/**
 * An error in Kubernetes' words. Reasons and messages are those of k8s.io/apimachinery/pkg/api/errors,
 * because clients match on reasons and people search for messages.
 */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails;
  /** Explanations that Kubernetes does not give. They are sent in `Warning` headers. */
  readonly warnings: readonly string[] = [];

  constructor(code: number, reason: string, message: string, details: StatusDetails = {}) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.reason = reason;
    this.details = details;
  }
}

/** A patch that does not apply. */
export class PatchRefusal extends ApiError {
  override readonly warnings: readonly string[];

  /** @param why the reason, if the message is Kubernetes' own and does not give it */
  constructor(message: string, why?: string) {
    super(422, 'Invalid', message);
    this.warnings = why === undefined ? [] : [why];
  }
}

/** Reasons for which Kubernetes omits empty details. All other errors have at least `{}`. */
const SPARE: ReadonlySet<string> = new Set(['', 'BadRequest', 'NotAcceptable', 'UnsupportedMediaType']);

/** The Status body of an error. */
export function failureStatus(error: ApiError): JsonObject {
  const { message, reason, code } = error;
  const details = detailsOf(error.details);
  const spared = SPARE.has(reason) && Object.keys(error.details).length === 0;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason !== '' && { reason }),
    ...(spared ? {} : { details }),
    code,
  };
}

/** The Status body of a success that has no object to show. */
export function successStatus(details: StatusDetails): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: detailsOf(details) };
}

/** The Status body of a success that has only a code. */
export function succeeded(code: number): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code };
}

export function notFound(names: ResourceNames, name: string): ApiError {
  return new ApiError(404, 'NotFound', `${qualified(names)} "${name}" not found`, about(names, name));
}

/** The error of a path that is not served, in a group that is served. */
export class NoSuchPathError extends ApiError {
  constructor() {
    super(404, 'NotFound', 'the server could not find the requested resource');
  }
}

/** The error of a path whose group is not served. Its answer is a text page instead of a Status. */
export class NoSuchPageError extends ApiError {
  constructor() {
    super(404, 'NotFound', '404 page not found');
  }
}

/** The error of a path that is not served. */
export function noSuchPath(): ApiError {
  return new NoSuchPathError();
}

/** The error of a path that is served, but not with this method. */
export function methodNotAllowed(): ApiError {
  return new ApiError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
  );
}

export function alreadyExists(names: ResourceNames, name: string): ApiError {
  return new ApiError(
    409,
    'AlreadyExists',
    `${qualified(names)} "${name}" already exists`,
    about(names, name),
  );
}

/** The error of a name that a terminating object has. */
export function stillExists(names: ResourceNames, name: string): ApiError {
  const { code, reason, message, details } = alreadyExists(names, name);
  return new ApiError(code, reason, `object is being deleted: ${message}`, details);
}

/** The error of a `generateName` for which all tried suffixes were taken. */
export function nameNotGenerated(names: ResourceNames, name: string): ApiError {
  return new ApiError(
    409,
    'AlreadyExists',
    `${qualified(names)} "${name}" already exists, the server was not able to generate a unique name for the object`,
    { ...about(names, name), retryAfterSeconds: 1 },
  );
}

export function conflict(names: ResourceNames, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${qualified(names)} "${name}": ${why}`;
  return new ApiError(409, 'Conflict', message, about(names, name));
}

/** The error of a write with an old resourceVersion: another writer changed the object since. */
export function modified(names: ResourceNames, name: string): ApiError {
  return conflict(
    names,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );
}

export function forbidden(
  names: ResourceNames,
  name: string,
  why: string,
  causes?: readonly StatusCause[],
): ApiError {
  const what = name === '' ? qualified(names) : `${qualified(names)} "${name}"`;
  return new ApiError(403, 'Forbidden', `${what} is forbidden: ${why}`, { ...about(names, name), causes });
}

/** The limits of field errors in one message: their number, and their total characters. */
const MOST_ERRORS = 100;
const MOST_CHARACTERS = 64 * 1024;

/** The faults of an object or of a request's options: the first errors, and the number of the others. */
export function invalid(names: KindNames, name: string, found: readonly FieldError[]): ApiError {
  const kind = names.group === '' ? names.kind : `${names.kind}.${names.group}`;
  const errors = firstOf(found);
  const more = found.length - errors.length;
  const messages = [
    ...new Set(errors.map(formatFieldError)),
    ...(more === 0 ? [] : [`and ${more} more errors`]),
  ];
  const list = messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
  return new ApiError(422, 'Invalid', `${kind} "${name}" is invalid: ${list}`, {
    name: name || undefined,
    group: names.group || undefined,
    kind: names.kind || undefined,
    causes: errors.map(causeOf),
  });
}

/** The first errors whose text is short enough, and at least one. */
function firstOf(errors: readonly FieldError[]): readonly FieldError[] {
  let characters = 0;
  const end = errors.slice(0, MOST_ERRORS).findIndex((error, at) => {
    characters += formatFieldError(error).length;
    return at > 0 && characters > MOST_CHARACTERS;
  });
  return errors.slice(0, end < 0 ? MOST_ERRORS : end);
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message);
}

export function unsupportedMediaType(message: string): ApiError {
  return new ApiError(415, 'UnsupportedMediaType', message);
}

/** The error of a content type that is not one of a patch. */
export function unknownPatch(): ApiError {
  return new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', { causes: [] });
}

export function tooLarge(why: string): ApiError {
  return new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: ${why}`);
}

export function expired(message: string): ApiError {
  return new ApiError(410, 'Expired', message);
}

/** A timeout. It has no Retry-After, because clients would then repeat a create that may have been applied. */
export function timedOut(message: string): ApiError {
  return new ApiError(504, 'Timeout', `Timeout: ${message}`);
}

/** The error of a resourceVersion that this server has not reached. */
export function versionAhead(message = 'Too large resource version'): ApiError {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return new ApiError(504, 'Timeout', `Timeout: ${message}`, { causes, retryAfterSeconds: 1 });
}

export function tooManyRequests(message: string): ApiError {
  return new ApiError(429, 'TooManyRequests', message, { retryAfterSeconds: 1 });
}

/** The error of a request that did nothing, and cannot succeed before an operator acts. */
export function serviceUnavailable(message: string): ApiError {
  return new ApiError(503, 'ServiceUnavailable', message);
}

/** An internal error of the server. Its message has no cause: the cause is in the log. */
export function internalError(writes: boolean): ApiError {
  const outcome = writes ? '; the write may have been applied: read the object before you send it again' : '';
  return new ApiError(500, 'InternalError', `Internal error occurred: see the log of the server${outcome}`);
}

function qualified({ group, resource }: ResourceNames): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function about({ group, resource }: ResourceNames, name: string): StatusDetails {
  return { name: name || undefined, group: group || undefined, kind: resource };
}

function causeOf(error: FieldError): StatusCause {
  const text = formatFieldError(error);
  const prefix = `${error.field}: `;
  return {
    reason: `FieldValue${error.type}`,
    message: text.startsWith(prefix) ? text.slice(prefix.length) : text,
    field: error.field,
  };
}

function detailsOf({ causes, ...rest }: StatusDetails): JsonObject {
  const details: JsonObject = {};
  for (const [key, value] of Object.entries(rest)) {
    if (value !== undefined) details[key] = value;
  }
  if (causes !== undefined && causes.length > 0) {
    details.causes = causes.map((cause) => ({ ...cause }) as JsonObject);
  }
  return details;
}

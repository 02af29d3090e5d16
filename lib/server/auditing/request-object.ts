import { type HoldsSecretOptions, holdsSecret } from '../../kubernetes/audit/index.ts';
import { type ApiRequest, hasBody, mediaTypeOf, readBody } from '../http/index.ts';

/** The maximum size of a recorded body, in bytes. CloudWatch accepts lines of 256 KiB. */
const MOST_BYTES = 100_000;
/** The most levels of a recorded body. Real objects have fewer, and JSON of unlimited depth cannot be serialized. */
const DEEPEST = 500;
/** The most characters of a recorded name. No object has a longer name. */
const LONGEST_NAME = 253;
/** The annotation that says why an event has no body. */
const LEFT_OUT = 'winnow.dev/request-object';

export interface RequestObject {
  /** Whether the body may hold a secret. Then error messages that quote the body are left out too. */
  readonly isSecret?: true;
  readonly told?: { readonly requestObject: unknown };
  readonly notes?: Readonly<Record<string, string>>;
}

/** A parsed body. */
export interface Sent {
  readonly value: unknown;
}

export interface RequestObjectOptions extends HoldsSecretOptions {
  readonly sent: Sent | undefined;
  /** Whether the path names served objects. For any other path, the meaning of the body is unknown. */
  readonly isServed: boolean;
  readonly omitManagedFields: boolean;
}

/** The body for an audit event, or an annotation that says why it is left out. */
export function requestObject(request: ApiRequest, options: RequestObjectOptions): RequestObject {
  const { sent, isServed, omitManagedFields } = options;
  if (!hasBody(request) || request.body === undefined) return {};
  if (!isServed) return { ...leftOut('the path names no served objects'), isSecret: true };
  const { length } = request.body;
  if (length > MOST_BYTES) return leftOut(`${length} bytes`);
  if (sent === undefined) return leftOut(`the body cannot be read as ${mediaTypeOf(request)}`);
  if (isDeep(sent.value)) return leftOut(`the body is nested deeper than ${DEEPEST} levels`);
  if (holdsSecret(sent.value, options)) {
    return { ...leftOut('the body holds a Secret or a token'), isSecret: true };
  }
  return { told: { requestObject: omitManagedFields ? withoutManagedFields(sent.value) : sent.value } };
}

/** The name in a sent object; undefined if it has none, or one that is too long. */
export function nameIn(sent: Sent | undefined): string | undefined {
  const { value } = sent ?? {};
  const { name } = isObject(value) && isObject(value.metadata) ? value.metadata : {};
  return typeof name === 'string' && name.length <= LONGEST_NAME ? name : undefined;
}

function leftOut(why: string): RequestObject {
  return { notes: { [LEFT_OUT]: `left out: ${why}` } };
}

/**
 * Parses the body of a request in any encoding; undefined if there is none or it cannot be parsed. A patch is parsed
 * as it is, without its target.
 */
export async function readSent(request: ApiRequest): Promise<Sent | undefined> {
  if (!hasBody(request)) return undefined;
  try {
    return { value: JSON.parse(Buffer.from(request.body ?? []).toString()) };
  } catch {
    return readBody(request, { apiVersion: '', kind: '' }).catch(() => undefined);
  }
}

function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

function withoutManagedFields(value: unknown): unknown {
  if (!isObject(value) || !isObject(value.metadata)) return value;
  const { managedFields: _, ...metadata } = value.metadata;
  return { ...value, metadata };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { type HoldsSecretOptions, holdsSecret } from '../../kubernetes/audit/index.ts';
import { type ApiRequest, hasBody, mediaTypeOf, readBody } from '../http/index.ts';

/** Bytes of a body that is told: CloudWatch takes lines of 256 KiB. */
const MOST_BYTES = 100_000;
/** Levels of a body that is told. Nobody's object has more, and a line of JSON cannot be written of any depth. */
const DEEPEST = 500;
/** Characters of a name that is told: no object has a longer one. */
const LONGEST_NAME = 253;
/** Says in an event why its body is not in it. */
const LEFT_OUT = 'winnow.dev/request-object';

export interface RequestObject {
  /** Whether it may hold what no log may have, so that no words that quote it are told either. */
  readonly isSecret?: true;
  readonly told?: { readonly requestObject: unknown };
  readonly notes?: Readonly<Record<string, string>>;
}

/** A body as the JSON value that it says. */
export interface Sent {
  readonly value: unknown;
}

export interface RequestObjectOptions extends HoldsSecretOptions {
  readonly sent: Sent | undefined;
  /** Whether the path is one of objects that are served: what was meant by any other nobody knows. */
  readonly isServed: boolean;
  readonly omitManagedFields: boolean;
}

/** What was sent, or why it is not told. */
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

/** The name that an object is sent with; undefined where it has none, or none that an object can have. */
export function nameIn(sent: Sent | undefined): string | undefined {
  const { value } = sent ?? {};
  const { name } = isObject(value) && isObject(value.metadata) ? value.metadata : {};
  return typeof name === 'string' && name.length <= LONGEST_NAME ? name : undefined;
}

function leftOut(why: string): RequestObject {
  return { notes: { [LEFT_OUT]: `left out: ${why}` } };
}

/**
 * The body of a request, whatever its encoding; undefined where there is none, or it cannot be read. A patch is read as it
 * is, whatever it is a patch of.
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

import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { child, forbidden, invalid, notSupported, required } from '../../../kubernetes/field-errors/index.ts';
import {
  familyOf,
  type IpFamily,
  isMappedAddress,
  type Protocol,
} from '../../../kubernetes/reachability/index.ts';
import { type FieldError, type Labels, validateLabels } from '../../../selectors/index.ts';

const PROTOCOLS: readonly Protocol[] = ['TCP', 'UDP', 'SCTP'];
const FAMILIES: readonly IpFamily[] = ['IPv4', 'IPv6'];
const HIGHEST_PORT = 65535;

/** The question of a ReachabilityReview, before its ends are looked up. */
export interface Question {
  readonly from: AskedEnd;
  readonly to: AskedEnd;
  /** The port's number, or its name at the destination. */
  readonly port: number | string;
  readonly protocol: Protocol;
  readonly ipFamily: IpFamily | undefined;
}

/** An existing pod, a pod of which only the labels are given, or an address; `path` is its place in the question. */
export type AskedEnd =
  | { readonly path: string; readonly namespace: string; readonly name: string }
  | { readonly path: string; readonly namespace: string; readonly labels: Labels }
  | { readonly path: string; readonly ip: string };

/**
 * Reads the question. It adds each fault that it finds to `errors`, and returns undefined if an end or the port is
 * invalid.
 */
export function readQuestion(spec: JsonObject, errors: FieldError[]): Question | undefined {
  const from = readEnd('spec.from', spec.from, errors);
  const to = readEnd('spec.to', spec.to, errors);
  const port = readPort('spec.port', spec.port, errors);
  const { protocol, ipFamily } = spec;
  const choice = {
    protocol: choose('TCP', { path: 'spec.protocol', value: protocol, known: PROTOCOLS }, errors),
    ipFamily: choose(undefined, { path: 'spec.ipFamily', value: ipFamily, known: FAMILIES }, errors),
  };
  if (from === undefined || to === undefined || port === undefined) return undefined;
  return { from, to, port, ...choice };
}

function readEnd(path: string, value: JsonValue | undefined, errors: FieldError[]): AskedEnd | undefined {
  if (isGiven(value) && !isJsonObject(value)) {
    errors.push(wrongType(path, value, 'an object'));
    return undefined;
  }
  const { name, labels, ip } = objectAt(value);
  const given = Object.entries({ name, labels, ip }).filter(([, one]) => isGiven(one));
  const [kind, ...others] = given.map(([field]) => field);
  errors.push(
    ...others.map((field) => forbidden(child(path, field), `may not be set together with ${kind}`)),
  );
  switch (kind) {
    case 'name':
    case 'labels':
      return readPod(path, objectAt(value), errors);
    case 'ip':
      return readAddress(path, objectAt(value), errors);
    default:
      errors.push(required(path, 'set name, labels or ip'));
      return undefined;
  }
}

function readPod(
  path: string,
  { namespace, name, labels }: JsonObject,
  errors: FieldError[],
): AskedEnd | undefined {
  const place = child(path, 'namespace');
  if (!isGiven(namespace) || typeof namespace !== 'string') {
    errors.push(isGiven(namespace) ? wrongType(place, namespace, 'a string') : required(place));
    return undefined;
  }
  if (typeof name === 'string' && isGiven(name)) return { path, namespace, name };
  const wrong = isGiven(name)
    ? [wrongType(child(path, 'name'), name, 'a string')]
    : validateLabels(labels, child(path, 'labels'));
  errors.push(...wrong);
  return wrong.length > 0 ? undefined : { path, namespace, labels: withoutNulls(objectAt(labels)) };
}

function readAddress(
  path: string,
  { ip, namespace }: JsonObject,
  errors: FieldError[],
): AskedEnd | undefined {
  const field = child(path, 'ip');
  if (isGiven(namespace)) errors.push(forbidden(child(path, 'namespace'), 'may not be set together with ip'));
  if (typeof ip !== 'string' || familyOf(ip) === undefined) {
    errors.push(invalid(field, ip ?? '', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'));
    return undefined;
  }
  if (isMappedAddress(ip)) errors.push(invalid(field, ip, 'must not be an IPv4-mapped IPv6 address'));
  return { path, ip };
}

function readPort(
  path: string,
  port: JsonValue | undefined,
  errors: FieldError[],
): number | string | undefined {
  if (!isGiven(port)) {
    errors.push(required(path, 'a port number, or the name of a container port of the destination'));
    return undefined;
  }
  if (typeof port !== 'number' && typeof port !== 'string') {
    errors.push(wrongType(path, port, 'a whole number or a string'));
    return undefined;
  }
  const isPort = typeof port === 'string' || (Number.isInteger(port) && port >= 1 && port <= HIGHEST_PORT);
  if (!isPort) errors.push(invalid(path, port, `must be between 1 and ${HIGHEST_PORT}, inclusive`));
  return port;
}

interface Choice<T> {
  readonly path: string;
  readonly value: JsonValue | undefined;
  readonly known: readonly T[];
}

function choose<T extends string, U>(
  otherwise: U,
  { path, value, known }: Choice<T>,
  errors: FieldError[],
): T | U {
  if (!isGiven(value)) return otherwise;
  const found = known.find((one) => one === value);
  if (found === undefined) errors.push(notSupported(path, value, known));
  return found ?? otherwise;
}

/** Whether a value is set. An empty string or a null counts as not set. */
function isGiven(value: JsonValue | undefined): value is JsonValue & {} {
  return value !== undefined && value !== null && value !== '';
}

function withoutNulls(labels: JsonObject): Labels {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value ?? '')]));
}

function wrongType(path: string, value: JsonValue, wanted: string): FieldError {
  return { type: 'TypeInvalid', field: path, value, detail: `must be ${wanted}` };
}

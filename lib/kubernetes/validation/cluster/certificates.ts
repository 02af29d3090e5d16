import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../../json/index.ts';
import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../../selectors/index.ts';
import {
  child,
  duplicate,
  forbidden,
  index,
  invalid,
  invalidPrinted,
  notSupported,
  required,
  tooLong,
} from '../../field-errors/index.ts';
import type { Errors } from '../errors.ts';
import { isThere, numberOf, objectsOf, textOf, textsOf } from '../reading.ts';

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const PEM = /^-----BEGIN CERTIFICATE REQUEST-----\s.*^-----END CERTIFICATE REQUEST-----/ms;
const BLOCK = /^-----BEGIN ([^-]+)-----\s.*?^-----END \1-----/gms;
const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown';
const SHORTEST = 600;
const LONGEST_DOMAIN = 253;
const LONGEST_SIGNER = 571;
const STATUSES = ['False', 'True', 'Unknown'];
const DECISIONS = ['Approved', 'Denied'];

/**
 * Follows k8s.io/kubernetes/pkg/apis/certificates/validation. The request must be a PEM block of its type. The signer
 * checks its content.
 */
export function* certificateRequest({ spec: given, status }: JsonObject): Errors {
  const spec = objectAt(given);
  const request = Buffer.from(textOf(spec.request), 'base64');
  if (!PEM.test(request.toString())) {
    yield invalidPrinted('spec.request', goBytes(request), 'PEM block type must be CERTIFICATE REQUEST');
  }
  yield* usages('spec.usages', textsOf(spec.usages));
  const signer = textOf(spec.signerName);
  if (signer === LEGACY_SIGNER) {
    yield invalid('spec.signerName', signer, 'the legacy signerName is not allowed via this API version');
  } else {
    yield* signerName('spec.signerName', signer);
  }
  const { expirationSeconds: seconds } = spec;
  if (isThere(seconds) && numberOf(seconds) < SHORTEST) {
    const detail = `may not specify a duration less than ${SHORTEST} seconds (10 minutes)`;
    yield invalid('spec.expirationSeconds', seconds, detail);
  }
  yield* conditions('status.conditions', objectsOf(objectAt(status).conditions));
  yield* certificate('status.certificate', textOf(objectAt(status).certificate));
}

/** Checks that a value contains at least one PEM certificate, unless it is empty. */
function* certificate(path: string, value: string): Errors {
  if (value === '') return;
  const types = [...`${Buffer.from(value, 'base64')}`.matchAll(BLOCK)].map(([, type = '']) => type);
  const other = types.find((type) => type !== 'CERTIFICATE');
  if (other !== undefined) {
    const detail = `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(other)}`;
    yield invalid(path, '<certificate data>', detail);
  } else if (types.length === 0) {
    yield invalid(path, '<certificate data>', 'must contain at least one CERTIFICATE PEM block');
  }
}

/**
 * Checks an update through `/approval`. A decision cannot be removed. The same holds for a certificate, which is set
 * through `/status`.
 */
export function* certificateApproval(body: JsonObject, old: JsonObject): Errors {
  yield* noneRemoved(body, old);
}

export function* certificateStatus(body: JsonObject, old: JsonObject = {}): Errors {
  yield* certificateRequest(body);
  yield* noneRemoved(body, old);
  const path = 'status.conditions';
  for (const type of DECISIONS) {
    const [now, before] = [ofType(body, type), ofType(old, type)];
    if (now.length < before.length || jsonEquals(now, before)) continue;
    const what = now.length > before.length ? 'add' : 'modify';
    yield forbidden(path, `updates may not ${what} a condition of type "${type}"`);
  }
  const issued = textOf(objectAt(old.status).certificate);
  if (issued !== '' && textOf(objectAt(body.status).certificate) !== issued) {
    yield forbidden('status.certificate', 'updates may not modify existing certificate content');
  }
}

function* noneRemoved(body: JsonObject, old: JsonObject): Errors {
  for (const type of [...DECISIONS, 'Failed']) {
    if (ofType(body, type).length >= ofType(old, type).length) continue;
    yield forbidden('status.conditions', `updates may not remove a condition of type "${type}"`);
  }
}

function ofType({ status }: JsonObject, type: string): JsonObject[] {
  return objectsOf(objectAt(status).conditions).filter((one) => one.type === type);
}

function goBytes(bytes: Buffer): string {
  if (bytes.length === 0) return '[]byte(nil)';
  return `[]byte{${[...bytes].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;
}

function* usages(path: string, given: readonly string[]): Errors {
  if (given.length === 0) yield required(path);
  for (const [at, usage] of given.entries()) {
    if (!USAGES.includes(usage)) yield notSupported(index(path, at), usage, USAGES);
  }
  for (const [at, usage] of given.entries()) {
    if (given.indexOf(usage) < at) yield duplicate(index(path, at), usage);
  }
}

/** Checks the name of a signer: `example.com/signer-name`. */
function* signerName(path: string, name: string): Errors {
  if (name === '') {
    yield required(path);
    return;
  }
  const [domain = '', own = '', ...more] = name.split('/');
  if (!name.includes('/') || more.length > 0) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    yield invalid(path, name, detail);
    return;
  }
  if (domain.length > LONGEST_DOMAIN) yield tooLong(path, LONGEST_DOMAIN);
  yield* labels(path, domain, dns1123LabelErrors);
  if (!domain.includes('.')) {
    yield invalid(path, domain, 'should be a domain with at least two segments separated by dots');
  }
  yield* labels(path, own, dns1123SubdomainErrors);
  if (name.length > LONGEST_SIGNER) yield tooLong(path, LONGEST_SIGNER);
}

/** Reports the errors of the first invalid label. */
function* labels(path: string, value: string, errorsOf: (label: string) => readonly string[]): Errors {
  const label = value.split('.').find((one) => errorsOf(one).length > 0);
  if (label === undefined) return;
  for (const error of errorsOf(label)) {
    yield invalid(path, value, `validating label ${JSON.stringify(label)}: ${error}`);
  }
}

function* conditions(path: string, given: readonly JsonObject[]): Errors {
  const seen = new Set<string>();
  for (const [at, { type: kind, status }] of given.entries()) {
    const own = index(path, at);
    const type = textOf(kind);
    if (type === '') yield required(child(own, 'type'));
    yield* conditionStatus(child(own, 'status'), status, [...DECISIONS, 'Failed'].includes(type));
    if (DECISIONS.includes(type) && DECISIONS.some((other) => other !== type && seen.has(other))) {
      yield invalid(child(own, 'type'), type, 'Approved and Denied conditions are mutually exclusive');
    }
    if (seen.has(type)) yield duplicate(child(own, 'type'), type);
    seen.add(type);
  }
}

function* conditionStatus(path: string, value: JsonValue | undefined, onlyTrue: boolean): Errors {
  const allowed = onlyTrue ? ['True'] : STATUSES;
  if (textOf(value) === '') {
    yield required(path);
  } else if (!allowed.includes(textOf(value))) {
    yield notSupported(path, textOf(value), allowed);
  }
}

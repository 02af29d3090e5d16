import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { quantityNanos } from '../../../quantities/index.ts';
import { labelKeyErrors } from '../../../selectors/index.ts';
import { child, forbidden, index, invalid, invalidPrinted, key, required } from '../../field-errors/index.ts';
import type { Errors } from '../errors.ts';
import { goQuantity } from '../go-values.ts';
import { entriesOf, isThere, objectsOf, textOf } from '../reading.ts';

const OF_CONTAINERS = ['cpu', 'memory', 'ephemeral-storage'];
const STANDARD: ReadonlySet<string> = new Set([
  ...OF_CONTAINERS,
  ...OF_CONTAINERS.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps'],
  ...[
    'persistentvolumeclaims',
    'storage',
    'requests.storage',
    'services.nodeports',
    'services.loadbalancers',
  ],
]);
const PAGES = 'hugepages-';
const NATIVE = 'kubernetes.io/';
const NANOS = 1_000_000_000n;

/** Checks the requests and limits of a container. */
export function* containerResources(path: string, resources: JsonObject): Errors {
  const limits = new Map(entriesOf(resources.limits));
  const requests = entriesOf(resources.requests);
  for (const [name, amount] of limits) yield* namedAmount(key(child(path, 'limits'), name), name, amount);
  for (const [name, amount] of requests) {
    yield* namedAmount(key(child(path, 'requests'), name), name, amount);
    yield* withinLimit(path, { name, amount, limit: limits.get(name) });
  }
  const names = [...limits.keys(), ...requests.map(([name]) => name)];
  const computes = names.includes('cpu') || names.includes('memory');
  if (!computes && names.some((name) => name.startsWith(PAGES))) {
    yield forbidden(path, 'HugePages require cpu or memory');
  }
  yield* claims(child(path, 'claims'), resources.claims);
}

function* namedAmount(path: string, name: string, amount: string): Errors {
  yield* containerResourceName(path, name);
  yield* amountAtLeastZero(path, amount);
  if (!isNative(name) && nanosOf(amount) % NANOS !== 0n) {
    yield invalidPrinted(path, goQuantity(amount), 'must be an integer');
  }
  if (!name.startsWith(PAGES)) return;
  const page = nanosOf(name.slice(PAGES.length));
  if (nanosOf(amount) <= 0n || page <= 0n || nanosOf(amount) % page !== 0n) {
    yield invalid(path, amount, `${amount} is not positive integer multiple of ${name}`);
  }
}

export function* amountAtLeastZero(path: string, amount: JsonValue | undefined): Errors {
  if (nanosOf(amount) < 0n) yield invalid(path, textOf(amount), 'must be greater than or equal to 0');
}

interface Request {
  readonly name: string;
  readonly amount: string;
  readonly limit: string | undefined;
}

function* withinLimit(path: string, { name, amount, limit }: Request): Errors {
  const exact = !isNative(name) || name.startsWith(PAGES);
  if (limit === undefined) {
    if (exact) yield required(child(path, 'limits'), 'Limit must be set for non overcommitable resources');
  } else if (exact && nanosOf(amount) !== nanosOf(limit)) {
    yield invalid(child(path, 'requests'), amount, `must be equal to ${name} limit of ${limit}`);
  } else if (nanosOf(amount) > nanosOf(limit)) {
    yield invalid(child(path, 'requests'), amount, `must be less than or equal to ${name} limit of ${limit}`);
  }
}

/** Checks the name of a container's resource. Errors show names without quotes. */
export function* containerResourceName(path: string, name: string): Errors {
  yield* resourceName(path, name);
  if (!name.includes('/') && !OF_CONTAINERS.includes(name) && !name.startsWith(PAGES)) {
    yield invalidPrinted(path, name, 'must be a standard resource for containers');
  } else if (!isNative(name) && name.startsWith('requests.')) {
    yield invalidPrinted(path, name, "doesn't follow extended resource name standard");
  }
}

export function* resourceName(path: string, name: string): Errors {
  const errors = labelKeyErrors(name);
  for (const detail of errors) yield invalidPrinted(path, name, detail);
  if (errors.length > 0 || name.includes('/') || STANDARD.has(name)) return;
  if (/^(requests\.)?hugepages-/.test(name)) return;
  yield invalidPrinted(path, name, 'must be a standard resource type or fully qualified');
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes(NATIVE);
}

function* claims(path: string, value: JsonValue | undefined): Errors {
  for (const [at, claim] of objectsOf(value).entries()) {
    if (textOf(claim.name) === '') yield required(index(path, at));
  }
}

/** Returns a quantity in billionths; 0 if it is absent. */
export function nanosOf(amount: JsonValue | undefined): bigint {
  return quantityNanos(textOf(amount)) ?? 0n;
}

/** Returns the requests of a container or claim. */
export function requestsOf({ resources }: JsonObject): JsonObject {
  const { requests } = objectAt(resources);
  return isThere(requests) ? objectAt(requests) : {};
}

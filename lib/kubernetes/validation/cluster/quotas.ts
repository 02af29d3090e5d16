import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../../json/index.ts';
import { child, invalid, invalidPrinted, key, required } from '../../field-errors/index.ts';
import { amountAtLeastZero, nanosOf, resourceName } from '../containers/index.ts';
import type { Errors } from '../errors.ts';
import { goQuantity, goTexts } from '../go-values.ts';
import { entriesOf, isThere, objectsOf, textOf, textsOf } from '../reading.ts';

const COUNTED = [
  ...['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'],
];
const COMPUTED = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const STANDARD: ReadonlySet<string> = new Set([
  ...COUNTED,
  ...COMPUTED,
  ...['ephemeral-storage', 'requests.ephemeral-storage', 'limits.ephemeral-storage', 'requests.storage'],
]);
/** The scopes of quotas, and the resources that each scope may limit. */
const SCOPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['BestEffort', ['pods']],
  ['NotBestEffort', ['pods', ...COMPUTED]],
  ['Terminating', ['pods', ...COMPUTED]],
  ['NotTerminating', ['pods', ...COMPUTED]],
  ['PriorityClass', ['pods', ...COMPUTED]],
  ['CrossNamespacePodAffinity', ['pods', ...COMPUTED]],
  ['VolumeAttributesClass', ['persistentvolumeclaims', 'requests.storage']],
]);
const CONFLICTING = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];
const ONE = 1_000_000_000n;

export function* resourceQuota(body: JsonObject): Errors {
  yield* quotaSpec(objectAt(body.spec));
  yield* quotaStatus(body);
}

export function* quotaStatus({ status }: JsonObject): Errors {
  yield* amounts('status.hard', objectAt(status).hard);
  yield* amounts('status.used', objectAt(status).used);
}

export function* quotaUpdate(body: JsonObject, old: JsonObject): Errors {
  const [scopes, before] = [objectAt(body.spec).scopes, objectAt(old.spec).scopes];
  const sorted = (value: JsonValue | undefined) => [...new Set(textsOf(value))].sort();
  if (jsonEquals(sorted(scopes), sorted(before))) return;
  yield invalidPrinted('spec.scopes', printed(scopes), 'field is immutable');
}

function* quotaSpec(spec: JsonObject): Errors {
  yield* amounts('spec.hard', spec.hard);
  const hard = entriesOf(spec.hard)
    .map(([name]) => name)
    .sort();
  const scopes = textsOf(spec.scopes);
  const refuse = (detail: string) => invalidPrinted('spec.scopes', printed(spec.scopes), detail);
  for (const scope of scopes) {
    if (!SCOPES.has(scope)) yield refuse('unsupported scope');
    for (const name of hard) if (!fits(scope, name)) yield refuse('unsupported scope applied to resource');
  }
  for (const pair of CONFLICTING) {
    if (pair.every((scope) => scopes.includes(scope))) yield refuse('conflicting scopes');
  }
  if (isThere(spec.scopeSelector)) yield* scopeSelector(objectAt(spec.scopeSelector));
}

/** Whether a scope may limit a resource. Every scope may limit non-standard resources. */
function fits(scope: string, name: string): boolean {
  return !isStandard(name) || (SCOPES.get(scope)?.includes(name) ?? true);
}

function* scopeSelector({ matchExpressions }: JsonObject): Errors {
  const path = 'spec.scopeSelector.matchExpressions';
  for (const { scopeName, operator, values } of objectsOf(matchExpressions)) {
    const scope = textOf(scopeName);
    if (!SCOPES.has(scope)) yield invalid(child(path, 'scopeName'), scope, 'unsupported scope');
    const isPlain = !['PriorityClass', 'VolumeAttributesClass'].includes(scope) && SCOPES.has(scope);
    if (isPlain && operator !== 'Exists') {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      yield invalid(child(path, 'operator'), textOf(operator), detail);
    }
    yield* selectedValues(path, textOf(operator), values);
  }
}

function* selectedValues(path: string, operator: string, values: JsonValue | undefined): Errors {
  const given = textsOf(values);
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      if (given.length === 0) yield required(child(path, 'values'), detail);
      break;
    }
    case 'Exists':
    case 'DoesNotExist': {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      if (given.length > 0) yield invalidPrinted(child(path, 'values'), goTexts(values), detail);
      break;
    }
    default:
      yield invalid(child(path, 'operator'), operator, 'not a valid selector operator');
  }
}

function* amounts(path: string, value: JsonValue | undefined): Errors {
  for (const [name, amount] of entriesOf(value)) {
    const own = key(path, name);
    yield* resourceName(own, name);
    if (!name.includes('/') && !isStandard(name)) {
      yield invalidPrinted(own, name, 'must be a standard resource for quota');
    }
    yield* amountAtLeastZero(own, amount);
    if (COUNTED.includes(name) && nanosOf(amount) % ONE !== 0n) {
      yield invalidPrinted(own, goQuantity(amount), 'must be an integer');
    }
  }
}

function isStandard(name: string): boolean {
  return STANDARD.has(name) || /^(requests\.)?hugepages-/.test(name);
}

function printed(scopes: JsonValue | undefined): string {
  return goTexts(scopes, 'core.ResourceQuotaScope');
}

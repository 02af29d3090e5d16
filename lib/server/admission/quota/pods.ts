import { isJsonObject, type JsonObject, type JsonValue, metadataOf, objectAt } from '../../../json/index.ts';
import { qualityOf } from '../../objects/index.ts';
import { type Amounts, count } from '../amounts.ts';
import { containerAmounts, containersOf, podAmounts, type Side } from '../pod-amounts.ts';
import type { Evaluator, Scope } from './evaluator.ts';

/** Resources that every container must set if a quota limits them. */
const DEMANDED = ['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];
const MEASURED = ['cpu', 'memory', 'ephemeral-storage'];
const PODS = ['pods', 'count/pods'];
const ENDED: readonly (JsonValue | undefined)[] = ['Succeeded', 'Failed'];
const ONE = count(1);

/** Counts pods, as k8s.io/kubernetes/pkg/quota/v1/evaluator/core does. */
export const pods: Evaluator = {
  counts: (name) =>
    PODS.includes(name) ||
    MEASURED.some((one) => [one, `requests.${one}`, `limits.${one}`].includes(name)) ||
    /^(requests\.)?hugepages-/.test(name) ||
    (name.startsWith('requests.') && name.includes('/') && !name.includes('.storageclass.')),
  usage: (body, now) => {
    const usage = new Map([['count/pods', ONE]]);
    if (hasEnded(body, now)) return usage;
    const spec = objectAt(body.spec ?? {});
    const taken = namedUsage(podAmounts(spec, 'requests'), podAmounts(spec, 'limits'));
    return new Map([...usage, ['pods', ONE], ...taken]);
  },
  isWithin: (scope, body) => isWithin(scope, objectAt(body.spec ?? {})),
  missing: (body, resources) => {
    const demanded = resources.filter((name) => DEMANDED.includes(name)).sort();
    const spec = objectAt(body.spec ?? {});
    const all = [...containersOf(spec, 'containers'), ...containersOf(spec, 'initContainers')];
    const told = all.map((container) => ({ name: String(container.name), usage: usageOf(container) }));
    const messages = demanded.flatMap((resource) => {
      const names = told.filter(({ usage }) => !usage.has(resource)).map(({ name }) => name);
      return names.length === 0 ? [] : [`${resource} for: ${names.sort().join(',')}`];
    });
    return messages.length === 0 ? undefined : `must specify ${messages.join('; ')}`;
  },
};

function usageOf(container: JsonObject): Amounts {
  const side = (one: Side) => containerAmounts(container, one);
  return namedUsage(side('requests'), side('limits'));
}

/** The amounts under the names that quotas use. */
function namedUsage(requests: Amounts, limits: Amounts): Amounts {
  const named = [...requests].flatMap(([name, amount]) => namesOf(name).map((own) => [own, amount] as const));
  const limited = [...limits].flatMap(([name, amount]) =>
    MEASURED.includes(name) ? [[`limits.${name}`, amount] as const] : [],
  );
  return new Map([...named, ...limited]);
}

/**
 * The names of a request in quotas. A resource without a domain counts only if it is in `MEASURED` or is a huge page.
 */
function namesOf(name: string): string[] {
  if (MEASURED.includes(name) || name.startsWith('hugepages-')) return [name, `requests.${name}`];
  return name.includes('/') ? [`requests.${name}`] : [];
}

/** Whether a pod has ended, or its grace period for deletion is over. */
function hasEnded(body: JsonObject, now: number): boolean {
  if (ENDED.includes(objectAt(body.status ?? {}).phase)) return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadataOf(body);
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  return now > Date.parse(String(deletionTimestamp)) + Number(deletionGracePeriodSeconds) * 1000;
}

function isWithin({ scopeName, operator, values }: Scope, spec: JsonObject): boolean {
  const deadline = spec.activeDeadlineSeconds;
  const isBound = typeof deadline === 'number' && deadline >= 0;
  switch (scopeName) {
    case 'Terminating':
      return isBound;
    case 'NotTerminating':
      return !isBound;
    case 'BestEffort':
      return qualityOf(spec) === 'BestEffort';
    case 'NotBestEffort':
      return qualityOf(spec) !== 'BestEffort';
    case 'PriorityClass':
      return isOfClass(String(spec.priorityClassName ?? ''), operator, values);
    case 'CrossNamespacePodAffinity':
      return crossesNamespaces(objectAt(spec.affinity ?? {}));
    default:
      return false;
  }
}

function isOfClass(name: string, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    case 'NotIn':
      return name === '' || !values.includes(name);
    default:
      return name !== '' && values.includes(name);
  }
}

function crossesNamespaces({ podAffinity, podAntiAffinity }: JsonObject): boolean {
  return [podAffinity, podAntiAffinity]
    .map((one) => objectAt(one ?? {}))
    .some((side) => {
      const required = listOf(side.requiredDuringSchedulingIgnoredDuringExecution);
      const preferred = listOf(side.preferredDuringSchedulingIgnoredDuringExecution);
      const terms = [...required, ...preferred.map(({ podAffinityTerm }) => objectAt(podAffinityTerm ?? {}))];
      return terms.some(
        (term) => listOf(term.namespaces, true).length > 0 || term.namespaceSelector !== undefined,
      );
    });
}

function listOf(value: JsonValue | undefined, ofTexts = false): JsonObject[] {
  const all = Array.isArray(value) ? value : [];
  return ofTexts ? all.map((one) => ({ one })) : all.filter(isJsonObject);
}

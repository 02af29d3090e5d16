import { type JsonObject, objectAt } from '../../json/index.ts';
import type { ObjectState } from '../../store/index.ts';
import type { Completed } from './completed.ts';

/** The built-in classes, which exist without an object. */
const SYSTEM: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};
const PREEMPTS = 'PreemptLowerPriority';

interface PriorityClass {
  readonly name: string;
  readonly value: number;
  readonly policy: string;
}

/**
 * Returns a pod with the priority of its class, or of the default class. If the pod sets the fields itself, they must
 * equal those of the class.
 */
export function withPriority(pod: JsonObject, classes: readonly ObjectState[]): Completed {
  const spec = objectAt(pod.spec ?? {});
  const named = String(spec.priorityClassName ?? '');
  const found = named === '' ? defaultOf(classes) : classOf(named, classes);
  if (found === undefined) return { refusal: `no PriorityClass with name ${named} was found` };
  const { name, value, policy } = found;
  if (spec.priority !== undefined && spec.priority !== value) {
    return {
      refusal: `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    };
  }
  const own = spec.preemptionPolicy;
  if (own !== undefined && own !== policy) {
    return {
      refusal: `the string value of PreemptionPolicy (${own}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    };
  }
  const ranked: JsonObject = { ...spec, priority: value, preemptionPolicy: policy };
  if (name !== '') ranked.priorityClassName = name;
  return { body: { ...pod, spec: ranked } };
}

function classOf(name: string, classes: readonly ObjectState[]): PriorityClass | undefined {
  const value = SYSTEM[name];
  if (value !== undefined) return { name, value, policy: PREEMPTS };
  return classes.map(read).find((one) => one.name === name);
}

/** The default class with the lowest value; priority 0 if no class is the default. */
function defaultOf(classes: readonly ObjectState[]): PriorityClass {
  const defaults = classes.filter(({ body }) => body.globalDefault === true).map(read);
  const [lowest] = defaults.toSorted((one, other) => one.value - other.value);
  return lowest ?? { name: '', value: 0, policy: PREEMPTS };
}

function read({ name, body }: ObjectState): PriorityClass {
  const { value = 0, preemptionPolicy = PREEMPTS } = body;
  return { name: name.name, value: Number(value), policy: String(preemptionPolicy) };
}

import { type JsonObject, jsonEquals, metadataOf, objectAt } from '../../../json/index.ts';
import { dns1123LabelErrors } from '../../../selectors/index.ts';
import { child, forbidden, invalid, notSupported, tooLong } from '../../field-errors/index.ts';
import { containerResources } from '../containers/index.ts';
import { type Errors, invalidFor } from '../errors.ts';
import { labels } from '../label-selectors.ts';
import { isThere, numberOf, textOf, textsOf } from '../reading.ts';
import { tolerations } from '../scheduling.ts';

const HIGHEST_PRIORITY = 1_000_000_000;
const SYSTEM = 'system-';
const SYSTEM_PRIORITIES: ReadonlyMap<string, number> = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);
const PREEMPTION = ['PreemptLowerPriority', 'Never'];

export function* priorityClass(body: JsonObject): Errors {
  const name = textOf(metadataOf(body).name);
  const fault = systemFault(name, body);
  if (fault !== undefined) {
    const reserved = `priority class names with '${SYSTEM}' prefix are reserved for system use only. error: ${fault}`;
    yield forbidden('metadata.name', reserved);
  } else if (!name.startsWith(SYSTEM) && numberOf(body.value) > HIGHEST_PRIORITY) {
    yield forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`);
  }
  const { preemptionPolicy: policy } = body;
  if (isThere(policy) && !PREEMPTION.includes(textOf(policy))) {
    yield notSupported('preemptionPolicy', policy, PREEMPTION);
  }
}

function systemFault(name: string, { value, globalDefault }: JsonObject): string | undefined {
  if (!name.startsWith(SYSTEM)) return undefined;
  const known = SYSTEM_PRIORITIES.get(name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (numberOf(value) !== known) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

export function* priorityClassUpdate(body: JsonObject, old: JsonObject): Errors {
  if (numberOf(body.value) !== numberOf(old.value)) {
    yield forbidden('value', 'may not be changed in an update.');
  }
  yield* immutable('preemptionPolicy', body.preemptionPolicy, old.preemptionPolicy);
}

export function* runtimeClass({ handler, overhead, scheduling }: JsonObject): Errors {
  yield* invalidFor('handler', textOf(handler), dns1123LabelErrors(textOf(handler)));
  yield* containerResources('overhead', { limits: objectAt(overhead).podFixed ?? {} });
  if (!isThere(scheduling)) return;
  const { nodeSelector, tolerations: borne } = objectAt(scheduling);
  yield* labels('scheduling.nodeSelector', nodeSelector);
  // Upstream repeats the name in the path.
  yield* tolerations('scheduling.tolerations.tolerations', borne);
}

export function* runtimeClassUpdate(body: JsonObject, old: JsonObject): Errors {
  yield* immutable('handler', body.handler, old.handler);
}

const LONGEST_DRIVER = 63;
const GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const LIFECYCLES = ['Persistent', 'Ephemeral'];

export function* csiDriver(body: JsonObject): Errors {
  const spec = objectAt(body.spec);
  const name = textOf(metadataOf(body).name);
  if (name.length > LONGEST_DRIVER) yield tooLong('metadata.name', LONGEST_DRIVER);
  const { fsGroupPolicy: policy } = spec;
  if (isThere(policy) && !GROUP_POLICIES.includes(textOf(policy))) {
    yield notSupported('spec.fsGroupPolicy', policy, GROUP_POLICIES);
  }
  for (const mode of textsOf(spec.volumeLifecycleModes)) {
    if (!LIFECYCLES.includes(mode)) yield notSupported('spec.volumeLifecycleModes', mode, LIFECYCLES);
  }
}

export function* csiDriverUpdate(body: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [objectAt(body.spec), objectAt(old.spec)];
  yield* immutable('spec.attachedRequired', spec.attachRequired, before.attachRequired);
  yield* immutable(
    child('spec', 'volumeLifecycleModes'),
    spec.volumeLifecycleModes,
    before.volumeLifecycleModes,
  );
}

/** Checks that a field is unchanged. */
export function* immutable(
  path: string,
  value: JsonObject[string] | undefined,
  before: JsonObject[string] | undefined,
): Errors {
  if (!jsonEquals(value ?? null, before ?? null)) yield invalid(path, value ?? null, 'field is immutable');
}

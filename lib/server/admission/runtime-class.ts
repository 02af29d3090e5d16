import { isJsonObject, type JsonObject, jsonEquals, objectAt, objectsIn } from '../../json/index.ts';
import type { ObjectState } from '../../store/index.ts';
import type { Completed } from './completed.ts';

/** Returns a pod with the overhead, the node selector and the tolerations of its runtime class. */
export function withRuntimeClass(pod: JsonObject, classes: readonly ObjectState[]): Completed {
  const spec = objectAt(pod.spec ?? {});
  const name = String(spec.runtimeClassName ?? '');
  if (name === '') return { body: pod };
  const found = classes.find((one) => one.name.name === name);
  if (found === undefined) return { refusal: `pod rejected: RuntimeClass "${name}" not found` };
  const { podFixed } = objectAt(found.body.overhead ?? {});
  if (podFixed !== undefined && spec.overhead !== undefined && !jsonEquals(spec.overhead, podFixed)) {
    return { refusal: "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead" };
  }
  const scheduling = objectAt(found.body.scheduling ?? {});
  const clash = nodeClash(objectAt(spec.nodeSelector ?? {}), objectAt(scheduling.nodeSelector ?? {}));
  if (clash !== undefined) return { refusal: clash };
  const burdened = podFixed === undefined ? spec : { ...spec, overhead: podFixed };
  return { body: { ...pod, spec: scheduled(burdened, scheduling) } };
}

/** The error for a pod with overhead whose runtime class defines none. */
export function overheadError({ spec }: JsonObject, classes: readonly ObjectState[]): string[] {
  const { overhead, runtimeClassName } = objectAt(spec ?? {});
  if (overhead === undefined) return [];
  const found = classes.find(({ name }) => name.name === runtimeClassName);
  const isDefined = objectAt(found?.body.overhead ?? {}).podFixed !== undefined;
  return isDefined
    ? []
    : ['pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'];
}

function nodeClash(own: JsonObject, wanted: JsonObject): string | undefined {
  const key = Object.keys(wanted).find((one) => own[one] !== undefined && own[one] !== wanted[one]);
  if (key === undefined) return undefined;
  return `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${wanted[key]}; pod.spec.nodeSelector[${key}] = ${own[key]}`;
}

function scheduled(spec: JsonObject, { nodeSelector, tolerations }: JsonObject): JsonObject {
  const selected = isJsonObject(nodeSelector)
    ? { ...spec, nodeSelector: { ...objectAt(spec.nodeSelector ?? {}), ...nodeSelector } }
    : spec;
  const own = objectsIn(spec.tolerations);
  const added = objectsIn(tolerations).filter((one) => !own.some((other) => jsonEquals(other, one)));
  return added.length === 0 ? selected : { ...selected, tolerations: [...own, ...added] };
}

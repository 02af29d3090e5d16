import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../json/index.ts';
import { child, forbidden, index, invalid } from '../field-errors/index.ts';
import { isMirrorPod } from '../pods/index.ts';
import type { Errors } from './errors.ts';
import { podAnnotations, podAnnotationsUpdate } from './pod-annotations.ts';
import { isThere, numberOf, objectsOf, textOf } from './reading.ts';
import { tolerations } from './scheduling.ts';

const CHANGEABLE =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';
const FREE = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates', 'containers', 'initContainers'];

/** Checks the update of a pod, of which only few fields may change. */
export function* podUpdate(body: JsonObject, old: JsonObject): Errors {
  yield* podAnnotationsUpdate(body, old);
  const [spec, before] = [objectAt(body.spec), objectAt(old.spec)];
  for (const field of ['containers', 'initContainers']) {
    if (objectsOf(spec[field]).length === objectsOf(before[field]).length) continue;
    yield forbidden(child('spec', field), 'pod updates may not add or remove containers');
    return;
  }
  yield* deadline(spec.activeDeadlineSeconds, before.activeDeadlineSeconds);
  yield* addedTolerations(spec, before);
  yield* deletedGates(spec, before);
  if (isFixed(spec, before)) return;
  yield forbidden('spec', `pod updates may not change fields other than ${CHANGEABLE}`);
}

/** Checks a change through `/status`, which may change annotations too. */
export function* podStatusUpdate(body: JsonObject, old: JsonObject = {}): Errors {
  yield* podAnnotationsUpdate(body, old);
  yield* podAnnotations(body, old);
}

/** Checks ephemeral containers. They may be added, but not changed or removed. */
export function* ephemeralContainersUpdate(body: JsonObject, old: JsonObject): Errors {
  yield* podAnnotationsUpdate(body, old);
  const path = 'spec.ephemeralContainers';
  if (isMirrorPod(old)) {
    yield forbidden('', 'static pods do not support ephemeral containers');
  }
  const now = new Map(
    objectsOf(objectAt(body.spec).ephemeralContainers).map((one) => [textOf(one.name), one]),
  );
  for (const before of objectsOf(objectAt(old.spec).ephemeralContainers)) {
    const name = JSON.stringify(before.name);
    const container = now.get(textOf(before.name));
    if (container === undefined) {
      yield forbidden(path, `existing ephemeral containers ${name} may not be removed\n`);
    } else if (!jsonEquals(container, before)) {
      yield forbidden(path, `existing ephemeral containers ${name} may not be changed\n`);
    }
  }
}

/** Checks the deadline, which may be set and shortened. */
function* deadline(now: JsonValue | undefined, before: JsonValue | undefined): Errors {
  const path = 'spec.activeDeadlineSeconds';
  if (!isThere(before)) return;
  if (!isThere(now)) {
    yield invalid(path, null, 'must not update from a positive integer to nil value');
  } else if (numberOf(now) > numberOf(before)) {
    yield invalid(path, now, 'must be less than or equal to previous value');
  }
}

function* addedTolerations(spec: JsonObject, before: JsonObject): Errors {
  const now = objectsOf(spec.tolerations);
  const kept = objectsOf(before.tolerations).every((old) =>
    now.some((one) => jsonEquals({ ...old, tolerationSeconds: null }, { ...one, tolerationSeconds: null })),
  );
  if (kept) {
    yield* tolerations('spec.tolerations', spec.tolerations);
  } else {
    yield forbidden(
      'spec.tolerations',
      'existing toleration can not be modified except its tolerationSeconds',
    );
  }
}

function* deletedGates(spec: JsonObject, before: JsonObject): Errors {
  const old = new Set(objectsOf(before.schedulingGates).map(({ name }) => textOf(name)));
  for (const [at, gate] of objectsOf(spec.schedulingGates).entries()) {
    const name = textOf(gate.name);
    if (old.has(name)) continue;
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    yield forbidden(child(index('spec.schedulingGates', at), 'name'), detail);
  }
}

function isFixed(spec: JsonObject, before: JsonObject): boolean {
  const fields = new Set([...Object.keys(spec), ...Object.keys(before)]);
  for (const field of FREE) fields.delete(field);
  // A pod with scheduling gates may still change its node selection.
  if (objectsOf(before.schedulingGates).length > 0) {
    fields.delete('nodeSelector');
    fields.delete('affinity');
  }
  const { terminationGracePeriodSeconds: seconds } = spec;
  if (seconds === 1 && numberOf(before.terminationGracePeriodSeconds) < 0) {
    fields.delete('terminationGracePeriodSeconds');
  }
  const same = [...fields].every((field) => jsonEquals(spec[field] ?? null, before[field] ?? null));
  return (
    same &&
    ['containers', 'initContainers'].every((field) =>
      jsonEquals(imageless(spec[field]), imageless(before[field])),
    )
  );
}

function imageless(containers: JsonValue | undefined): JsonObject[] {
  return objectsOf(containers).map(({ image: _image, ...rest }) => rest);
}

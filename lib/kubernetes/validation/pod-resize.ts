import { type JsonObject, type JsonValue, jsonEquals, objectAt } from '../../json/index.ts';
import { quantityNanos } from '../../quantities/index.ts';
import { child, forbidden, index } from '../field-errors/index.ts';
import { isMirrorPod } from '../pods/index.ts';
import type { Errors } from './errors.ts';
import { isThere, objectsOf, textOf } from './reading.ts';

const RESIZABLE = ['cpu', 'memory'] as const;
const AMOUNTS = ['requests', 'limits'] as const;
const FIELDS = ['containers', 'initContainers'] as const;

/** Checks a resize: only the resources of a running pod's containers may change. Follows ValidatePodResize. */
export function* podResize(body: JsonObject, old: JsonObject): Errors {
  const [spec, before] = [objectAt(body.spec), objectAt(old.spec)];
  const never = whyNever(spec, old);
  if (never !== undefined) {
    yield forbidden('', never);
    return;
  }
  if (!isSupported(old)) yield forbidden('spec', 'Pod running on node without support for resize');
  const order = [...reordered(spec, before)];
  yield* order;
  if (order.length > 0) return;
  for (const field of [...FIELDS].reverse()) yield* resized(field, spec, before);
  yield* nothingElse(spec, before);
}

function whyNever(spec: JsonObject, old: JsonObject): string | undefined {
  const before = objectAt(old.spec);
  const isWhole = hasOwnResources(spec) || hasOwnResources(before);
  const isStatic = isMirrorPod(old);
  if (isWhole) return 'pods with pod-level resources cannot be resized';
  if (isStatic) return 'static pods cannot be resized';
  return objectAt(before.os).name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

function hasOwnResources({ resources }: JsonObject): boolean {
  return AMOUNTS.some((kind) => Object.keys(objectAt(objectAt(resources)[kind])).length > 0);
}

/** Whether the kubelet supports a resize. Such a kubelet reports the resources of a running container. */
function isSupported({ status }: JsonObject): boolean {
  const running = objectsOf(objectAt(status).containerStatuses).find(({ state }) =>
    isThere(objectAt(state).running),
  );
  return running === undefined || isThere(running.resources);
}

function* reordered(spec: JsonObject, before: JsonObject): Errors {
  for (const field of FIELDS) {
    const path = child('spec', field);
    const [now, was] = [objectsOf(spec[field]), objectsOf(before[field])];
    if (now.length !== was.length) {
      yield forbidden(path, `${field} may not be added or removed on resize`);
      continue;
    }
    for (const [at, { name }] of was.entries()) {
      if (now[at]?.name === name) continue;
      yield forbidden(child(index(path, at), 'name'), `${field} may not be renamed or reordered on resize`);
    }
  }
}

function* resized(field: (typeof FIELDS)[number], spec: JsonObject, before: JsonObject): Errors {
  const now = objectsOf(spec[field]);
  for (const [at, was] of objectsOf(before[field]).entries()) {
    if (field === 'initContainers' && was.restartPolicy !== 'Always') continue;
    yield* containerResize(child(index(child('spec', field), at), 'resources'), now[at] ?? {}, was);
  }
}

function* containerResize(path: string, container: JsonObject, was: JsonObject): Errors {
  const [now, before] = [objectAt(container.resources), objectAt(was.resources)];
  for (const kind of AMOUNTS) {
    const removed = Object.keys(objectAt(before[kind])).some((name) => !(name in objectAt(now[kind])));
    if (removed) yield forbidden(child(path, kind), `resource ${kind} cannot be removed`);
  }
  const policy = objectsOf(container.resizePolicy).find(({ resourceName }) => resourceName === 'memory');
  if (textOf(policy?.restartPolicy) === 'RestartContainer') return;
  yield* memoryLimit(path, objectAt(now.limits).memory, objectAt(before.limits).memory);
}

function* memoryLimit(path: string, limit: JsonValue | undefined, before: JsonValue | undefined): Errors {
  if (limit === undefined) return;
  const isLess = before !== undefined && (amount(limit) ?? 0n) < (amount(before) ?? 0n);
  if (before !== undefined && !isLess) return;
  const what = isLess ? 'decreased' : 'added';
  const detail = `memory limits cannot be ${what} unless resizePolicy is RestartContainer`;
  yield forbidden(`${child(path, 'limits')}[memory]`, detail);
}

function amount(quantity: JsonValue): bigint | undefined {
  return quantityNanos(textOf(quantity));
}

function* nothingElse(spec: JsonObject, before: JsonObject): Errors {
  for (const [at, was] of objectsOf(before.containers).entries()) {
    if (jsonEquals(unresized(objectsOf(spec.containers)[at] ?? {}), unresized(was))) continue;
    yield forbidden('spec', 'only cpu and memory resources are mutable');
  }
  for (const [at, was] of objectsOf(before.initContainers).entries()) {
    const now = objectsOf(spec.initContainers)[at] ?? {};
    const isSidecar = was.restartPolicy === 'Always';
    if (isSidecar ? jsonEquals(unresized(now), unresized(was)) : jsonEquals(now, was)) continue;
    yield forbidden(
      'spec',
      isSidecar
        ? 'only cpu and memory resources for sidecar containers are mutable'
        : 'resources for non-sidecar init containers are immutable',
    );
  }
}

/** Returns a container without the fields that a resize may change. */
function unresized({ resources, resizePolicy: _policy, ...container }: JsonObject): JsonObject {
  const fixed = AMOUNTS.map((kind) => {
    const others = Object.entries(objectAt(objectAt(resources)[kind])).filter(
      ([name]) => !RESIZABLE.some((one) => one === name),
    );
    return [kind, Object.fromEntries(others)];
  });
  return { ...container, resources: Object.fromEntries(fixed) };
}

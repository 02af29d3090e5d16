import { type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import { forbidden, invalid, key } from '../field-errors/index.ts';
import { MIRROR_ANNOTATION } from '../pods/index.ts';
import type { Errors } from './errors.ts';
import { textOf } from './reading.ts';

const PATH = 'metadata.annotations';
const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
/** An integer without a leading zero or a plus sign. */
const INTEGER = /^(?:0|-?[1-9]\d*)$/;
const MOST = 2 ** 31 - 1;

/** Checks the annotations of a pod that Kubernetes reads. Follows ValidatePodSpecificAnnotations. */
export function* podAnnotations(body: JsonObject, old?: JsonObject): Errors {
  const annotations = annotationsOf(body);
  const mirror = annotations[MIRROR_ANNOTATION];
  if (mirror !== undefined && textOf(objectAt(body.spec).nodeName) === '') {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    yield invalid(key(PATH, MIRROR_ANNOTATION), mirror, detail);
  }
  const cost = annotations[DELETION_COST];
  const before = old === undefined ? undefined : annotationsOf(old)[DELETION_COST];
  if (cost !== undefined && !isInteger(cost) && isInteger(before)) {
    yield invalid(key(PATH, DELETION_COST), cost, 'must be a 32bit integer');
  }
}

/**
 * Checks that a pod stays a mirror pod, or none, and that its AppArmor annotations stay as they are. Follows
 * ValidatePodSpecificAnnotationUpdates.
 */
export function* podAnnotationsUpdate(body: JsonObject, old: JsonObject): Errors {
  const [now, before] = [annotationsOf(body), annotationsOf(old)];
  const isFixed = (name: string) => name === MIRROR_ANNOTATION || name.startsWith(APP_ARMOR);
  const kind = (name: string) =>
    name === MIRROR_ANNOTATION ? 'mirror pod annotation' : 'AppArmor annotations';
  for (const name of Object.keys(before).filter(isFixed)) {
    if (now[name] === before[name]) continue;
    yield forbidden(key(PATH, name), `may not remove or update ${kind(name)}`);
  }
  for (const name of Object.keys(now).filter(isFixed)) {
    if (before[name] === undefined) yield forbidden(key(PATH, name), `may not add ${kind(name)}`);
  }
}

function annotationsOf(body: JsonObject): Readonly<Record<string, string>> {
  return objectAt(metadataOf(body).annotations) as Record<string, string>;
}

function isInteger(text: string | undefined): boolean {
  return text === undefined || (INTEGER.test(text) && Number(text) <= MOST && Number(text) >= -MOST - 1);
}

import { type JsonObject, type JsonValue, metadataOf, objectAt } from '../../../json/index.ts';
import { type FieldError, labelKeyErrors } from '../../../selectors/index.ts';

import type { TypeRules } from './rules.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';
/** The finalizer that reconcile removes when it has emptied a terminating namespace. */
const OWN_FINALIZER = 'kubernetes';
const STANDARD_FINALIZERS = [OWN_FINALIZER, 'orphan', 'foregroundDeletion'];

/**
 * The rules of Namespaces. A namespace has its name as a label, and finalizers in its spec, among them the one that
 * reconcile removes. Other finalizers are removed through `/finalize`; no other path changes them.
 */
export const namespaceRules: TypeRules = {
  read: (body) => (metadataOf(body).name === undefined ? body : withNameLabel(body)),
  prepare: ({ status, ...body }, old, subresource) => ({
    ...withNameLabel(body),
    spec: withFinalizers(specOf(body), finalizersOf(body, old, subresource)),
    ...(status === undefined ? {} : { status }),
  }),
  validate: (body, old, subresource) =>
    old === undefined || subresource === 'finalize' ? finalizerErrors(specOf(body)) : [],
  initialStatus: { phase: 'Active' },
  mayGo: (body) => listOf(specOf(body).finalizers).length === 0,
};

function finalizersOf(body: JsonObject, old: JsonObject | undefined, subresource: string | undefined) {
  const own = listOf(specOf(body).finalizers);
  if (old === undefined) return own.includes(OWN_FINALIZER) ? own : [...own, OWN_FINALIZER];
  return subresource === 'finalize' ? own : listOf(specOf(old).finalizers);
}

function withFinalizers(
  { finalizers: _finalizers, ...spec }: JsonObject,
  finalizers: JsonValue[],
): JsonObject {
  return finalizers.length === 0 ? spec : { ...spec, finalizers };
}

function finalizerErrors({ finalizers }: JsonObject): FieldError[] {
  return listOf(finalizers).flatMap((name) =>
    detailsOf(String(name)).map((detail): FieldError => {
      return { type: 'Invalid', field: 'spec.finalizers', value: name, detail };
    }),
  );
}

function detailsOf(name: string): string[] {
  const isKnown = name.includes('/') || STANDARD_FINALIZERS.includes(name);
  const own = 'name is neither a standard finalizer name nor is it fully qualified';
  return [...labelKeyErrors(name), ...(isKnown ? [] : [own])];
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function withNameLabel(body: JsonObject): JsonObject {
  const metadata = metadataOf(body);
  const labels = objectAt(metadata.labels);
  return { ...body, metadata: { ...metadata, labels: { ...labels, [NAME_LABEL]: metadata.name ?? '' } } };
}

function specOf({ spec }: JsonObject): JsonObject {
  return objectAt(spec);
}

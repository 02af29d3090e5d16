import { type JsonObject, metadataOf } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { doubledOwners } from './metadata.ts';

const NOTHING_CALLED =
  'Winnow stores this object but never calls webhooks or evaluates admission policies; it has no effect';

/** Warnings about kinds that have no effect in Winnow, by group and kind. Users may expect an effect. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': NOTHING_CALLED,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': NOTHING_CALLED,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': NOTHING_CALLED,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': NOTHING_CALLED,
  'apiregistration.k8s.io/APIService':
    'Winnow stores this object but never forwards requests to another API server; it has no effect',
};

/** The warnings for a written object: those of upstream, and one if the kind has no effect in Winnow. */
export async function writeWarnings(
  type: ResourceType,
  body: JsonObject,
  creates = false,
): Promise<string[]> {
  const idle = WITHOUT_EFFECT[`${type.group}/${type.kind}`];
  return [
    ...(idle === undefined ? [] : [idle]),
    ...(type.group === ''
      ? (await import('../../kubernetes/validation/index.ts')).warningsOf(type.kind, body, creates)
      : []),
    ...ownerWarnings(metadataOf(body)),
    ...finalizerWarnings(type, metadataOf(body)),
  ];
}

function ownerWarnings(metadata: JsonObject): string[] {
  const uids = doubledOwners(metadata).map(({ uid }) => uid);
  if (uids.length === 0) return [];
  return [
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`,
  ];
}

function finalizerWarnings(type: ResourceType, { finalizers }: JsonObject): string[] {
  const names = (Array.isArray(finalizers) ? finalizers : []).map(String);
  const unqualified = type.builtin ? [] : names.filter((name) => !name.includes('/'));
  return unqualified.map(
    (name) =>
      `metadata.finalizers: "${name}": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers`,
  );
}

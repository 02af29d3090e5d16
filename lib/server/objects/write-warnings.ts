import { type JsonObject, metadataOf } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { WriteOutcome } from '../../store/index.ts';
import { doubledOwners } from './metadata.ts';

/** Warnings about kinds that have no effect in Winnow, by group and kind. Users may expect an effect. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'apiregistration.k8s.io/APIService':
    'Winnow stores this object but never forwards requests to another API server; it has no effect',
};

/** The groups with kinds for which Kubernetes or Winnow has warnings. Only these groups load the code of the warnings. */
const WARNED_GROUPS = [
  '',
  'apiextensions.k8s.io',
  'apps',
  'batch',
  'discovery.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'storage.k8s.io',
];

/** The warnings for an object as the client sent it. One of them says that the kind has no effect in Winnow. */
export function sentWarnings(type: ResourceType, body: JsonObject): string[] {
  const idle = WITHOUT_EFFECT[`${type.group}/${type.kind}`];
  return [
    ...(idle === undefined ? [] : [idle]),
    ...ownerWarnings(metadataOf(body)),
    ...finalizerWarnings(type, metadataOf(body)),
  ];
}

/** Kubernetes' warnings for an object as it was written. A write to a subresource gets no warnings. */
export async function writtenWarnings(
  { group, kind }: ResourceType,
  subresource: string,
  { before, after = before }: WriteOutcome,
): Promise<string[]> {
  if (subresource !== '' || after === undefined || !WARNED_GROUPS.includes(group)) return [];
  const { warningsOf } = await import('../../kubernetes/validation/warnings/index.ts');
  const name = group === '' ? kind : `${group}/${kind}`;
  return warningsOf(name, { body: after.body, before: before?.body });
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

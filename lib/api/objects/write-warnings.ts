import { type JsonObject, metadataOf } from '../../store/index.ts';
import type { ResourceType } from '../resource-types/index.ts';
import { doubledOwners } from './metadata.ts';

/** What there is a better type for, by group and kind. */
const DEPRECATED: Readonly<Record<string, string>> = {
  '/Endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

/** What upstream warns of in an object that is written, without refusing it. */
export function writeWarnings(type: ResourceType, body: JsonObject): string[] {
  const deprecated = DEPRECATED[`${type.group}/${type.kind}`];
  return [
    ...(deprecated === undefined ? [] : [deprecated]),
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

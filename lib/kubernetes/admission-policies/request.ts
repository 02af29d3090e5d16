import { type JsonObject, type JsonValue, metadataOf, objectAt } from '../../json/index.ts';
import type { AdmissionAttributes, MatchedAs } from '../admission-match/index.ts';

/**
 * Returns `request`: the AdmissionRequest of a write, without the fields that Go leaves out if they are empty, and
 * without the objects.
 */
export function requestOf(attributes: AdmissionAttributes, { resource, kind }: MatchedAs): JsonObject {
  const { user, subresource, name, namespace, operation, dryRun, options } = attributes;
  const filled = (fields: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));
  return {
    uid: '',
    kind: { ...kind },
    resource: { ...resource },
    requestKind: { ...attributes.kind },
    requestResource: { ...attributes.resource },
    ...filled({ subResource: subresource, requestSubResource: subresource, name, namespace }),
    operation,
    userInfo: {
      ...filled({ username: user.name, uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
      ...(Object.keys(user.extra).length === 0 ? {} : { extra: extraOf(user.extra) }),
    },
    object: null,
    oldObject: null,
    dryRun,
    options: options ?? null,
  };
}

function extraOf(extra: Readonly<Record<string, readonly string[]>>): JsonObject {
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
}

/** The metadata of a Namespace that expressions see. */
const METADATA = [
  ...['name', 'generateName', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds', 'labels', 'annotations', 'finalizers'],
];

/** Returns `namespaceObject`: a Namespace without its kind, owners and managed fields. */
export function namespaceOf(namespace: JsonObject | undefined): JsonValue {
  if (namespace === undefined) return null;
  const metadata = Object.entries(metadataOf(namespace)).filter(([name]) => METADATA.includes(name));
  return {
    metadata: Object.fromEntries(metadata),
    spec: objectAt(namespace.spec),
    status: objectAt(namespace.status),
  };
}

import { createHash } from 'node:crypto';
import type { JsonObject } from '../../json/index.ts';
import { apiVersionOf, type ResourceType, subresourcesOf } from '../../kubernetes/resource-types/index.ts';
import { acceptsJson, asksFor, notAcceptable, parseAccept, splitPath } from '../http/index.ts';
import { type Document, jsonDocument } from './document.ts';

/**
 * The length of a storage version hash in bytes, as in
 * k8s.io/apiserver/pkg/endpoints/discovery/storageversionhash.go.
 */
const STORAGE_VERSION_HASH = 8;
const AGGREGATED_GROUP = 'apidiscovery.k8s.io';
const AGGREGATED_KIND = 'APIGroupDiscoveryList';

interface Discovery {
  readonly accept: string | undefined;
  readonly types: readonly ResourceType[];
  /** The host that the client used. */
  readonly host?: string | undefined;
}

/**
 * Returns the discovery document at a path; undefined if there is none. `/api` and `/apis` are aggregated for clients
 * that ask for it, and otherwise the legacy lists. `/api/V`, `/apis/G` and `/apis/G/V` exist only in the legacy form.
 * See https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api.
 *
 * @throws ApiError 406 the client accepts no JSON
 */
export function discover(path: string, { accept, types: all, host = '' }: Discovery): Document | undefined {
  const [root, ...rest] = splitPath(path);
  if ((root !== 'api' && root !== 'apis') || rest.length > (root === 'api' ? 1 : 2)) return undefined;
  const form = negotiateForm(accept);
  const types = all.filter((type) => (type.group === '') === (root === 'api'));
  const legacy = legacyDocument({ root, rest, host }, types);
  if (rest.length > 0 || form === 'legacy') return legacy && jsonDocument(legacy);
  const contentType = `application/json;g=${AGGREGATED_GROUP};v=${form};as=${AGGREGATED_KIND}`;
  return jsonDocument(aggregated(types, form), { 'content-type': contentType });
}

function negotiateForm(accept: string | undefined): 'v2' | 'v2beta1' | 'legacy' {
  for (const range of parseAccept(accept).filter(acceptsJson)) {
    const version = (['v2', 'v2beta1'] as const).find((candidate) =>
      asksFor(range, AGGREGATED_GROUP, candidate, AGGREGATED_KIND),
    );
    if (version !== undefined || !range.parameters.has('as')) return version ?? 'legacy';
  }
  throw notAcceptable();
}

interface LegacyPath {
  readonly root: 'api' | 'apis';
  readonly rest: readonly string[];
  readonly host: string;
}

function legacyDocument(
  { root, rest, host }: LegacyPath,
  types: readonly ResourceType[],
): JsonObject | undefined {
  if (root === 'api') {
    const [version] = rest;
    return version === undefined ? apiVersions(types, host) : apiResourceList('', version, types);
  }
  const [group, version] = rest;
  if (group === undefined) {
    const groups = [...Map.groupBy(types, (type) => type.group)];
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(([name, of]) => apiGroup(name, of)) };
  }
  const ofGroup = types.filter((type) => type.group === group);
  if (version !== undefined || ofGroup.length === 0) return apiResourceList(group, version, ofGroup);
  return { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group, ofGroup) };
}

function apiVersions(types: readonly ResourceType[], host: string): JsonObject {
  const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: host }];
  return { kind: 'APIVersions', versions: versionsOf(types), serverAddressByClientCIDRs };
}

function apiGroup(name: string, types: readonly ResourceType[]): JsonObject {
  const versions = versionsOf(types).map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] ?? {} };
}

function apiResourceList(
  group: string,
  version: string | undefined,
  types: readonly ResourceType[],
): JsonObject | undefined {
  const ofVersion = types.filter((type) => type.version === version);
  if (version === undefined || ofVersion.length === 0) return undefined;
  const groupVersion = apiVersionOf({ group, version });
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion,
    resources: ofVersion.flatMap(apiResources),
  };
}

function apiResources(type: ResourceType): JsonObject[] {
  const shared = { namespaced: type.scope === 'Namespaced', kind: type.kind };
  const main = {
    name: type.resource,
    singularName: type.singular,
    ...shared,
    verbs: [...type.verbs],
    ...names(type),
    ...storageOf(type),
  };
  const below = subresourcesOf(type).map(({ name, takes, verbs }) => {
    const named = { name: `${type.resource}/${name}`, singularName: '' };
    return { ...named, ...shared, ...takes, verbs: [...verbs] };
  });
  return [main, ...below];
}

/** The hash that tells a storage migrator when the stored version of a custom kind has changed. */
function storageOf({ custom, kind }: ResourceType): JsonObject {
  if (custom === undefined) return {};
  const digest = createHash('sha256').update(`${custom.storedAs}/${kind}`).digest();
  return { storageVersionHash: digest.subarray(0, STORAGE_VERSION_HASH).toString('base64') };
}

function aggregated(types: readonly ResourceType[], form: 'v2' | 'v2beta1'): JsonObject {
  const items = [...Map.groupBy(types, (type) => type.group)].map(([name, ofGroup]) => ({
    metadata: groupMetadata(name),
    versions: [...Map.groupBy(ofGroup, (type) => type.version)].map(([version, ofVersion]) => ({
      version,
      resources: ofVersion.map(aggregatedResource),
      freshness: 'Current',
    })),
  }));
  return { kind: AGGREGATED_KIND, apiVersion: `${AGGREGATED_GROUP}/${form}`, metadata: {}, items };
}

/** The metadata of a group. The core group has no name. */
function groupMetadata(name: string): JsonObject {
  return name === '' ? { creationTimestamp: null } : { name, creationTimestamp: null };
}

function aggregatedResource(type: ResourceType): JsonObject {
  const responseKind = { group: '', version: '', kind: type.kind };
  const subresources = subresourcesOf(type).map(({ name, takes, verbs }) => ({
    subresource: name,
    responseKind: { ...responseKind, ...takes },
    verbs: [...verbs],
  }));
  return {
    resource: type.resource,
    responseKind,
    scope: type.scope,
    singularResource: type.singular,
    verbs: [...type.verbs],
    ...names(type),
    ...(subresources.length > 0 ? { subresources } : {}),
  };
}

function names({ shortNames, categories }: ResourceType): JsonObject {
  return {
    ...(shortNames.length > 0 ? { shortNames: [...shortNames] } : {}),
    ...(categories.length > 0 ? { categories: [...categories] } : {}),
  };
}

function versionsOf(types: readonly ResourceType[]): string[] {
  return [...new Set(types.map((type) => type.version))];
}

import {
  HISTORY,
  isStored,
  LONGEST_NAME,
  type ResourceType,
  SELECTED,
  SELECTED_BY,
  type Subresource,
  subresourcesOf,
} from '../../kubernetes/resource-types/index.ts';
import { badRequest, methodNotAllowed, noSuchPath, notFound } from '../status/index.ts';
import type { ApiRequest } from './request.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** The route of a request for objects. */
export interface ResourceRoute {
  readonly type: ResourceType;
  readonly verb: Verb;
  /** `''` in cluster scope, and for all namespaces. */
  readonly namespace: string;
  /** `''` for a collection. A watch may have a name. */
  readonly name: string;
  /** `''` for the object itself. */
  readonly subresource: string;
}

/** The methods of each kind of path. */
const VERBS: Readonly<
  Record<'collection' | 'everywhere' | 'object' | 'subresource' | 'members', Readonly<Record<string, Verb>>>
> = {
  collection: { GET: 'list', POST: 'create', DELETE: 'deletecollection' },
  // Paths for all namespaces. A create needs one namespace. A deletion in all namespaces would be too easy a mistake.
  everywhere: { GET: 'list' },
  object: { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' },
  members: { GET: 'list' },
  subresource: { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' },
};

/** `/namespaces/x/status` is the subresource of a namespace, not a resource called "status" in it. */
const OF_NAMESPACE: readonly string[] = ['status', 'finalize', SELECTED_BY.name, SELECTED.name];

/** Whether this segment after `/namespaces/x/` is a subresource of the namespace. A custom kind may be called history. */
export function isOfNamespace(group: string, segment: string): boolean {
  return OF_NAMESPACE.includes(segment) || (group === '' && segment === HISTORY.name);
}
/** The only subresource with paths below it. */
const PROXY = 'proxy';

/**
 * Returns the segments of a path, percent-decoded. Slashes at either end are ignored.
 *
 * @throws ApiError 400 an escape is malformed
 */
export function splitPath(path: string): readonly string[] {
  const trimmed = path.replace(/^\/+|\/+$/g, '');
  try {
    return trimmed === '' ? [] : trimmed.split('/').map(decodeURIComponent);
  } catch {
    throw badRequest(`the path ${JSON.stringify(path)} has a malformed percent escape`);
  }
}

/** Whether a path is in a group that exists. Only in such a group, a 404 has a Status as its body. */
export function isOfGroup(path: string, types: readonly ResourceType[]): boolean {
  const [empty, root, group] = path.split('/');
  return empty === '' && (root === 'api' || (root === 'apis' && types.some((type) => type.group === group)));
}

/**
 * Returns the route of a request; undefined if the path is not for objects (discovery, `/version`). `find` looks up
 * types. Paths are as in https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris.
 *
 * @throws ApiError 404 the type or subresource is not served, 405 the path does not support the method
 */
export function routeOf(
  { method, path, query }: Pick<ApiRequest, 'method' | 'path' | 'query'>,
  find: FindType,
): ResourceRoute | undefined {
  const { segments, watches } = withoutWatch(splitPath(path));
  const place = locate(segments, find);
  if (place === undefined) return undefined;
  const { type, namespace, name, subresource } = place;
  // Authorization checks only the verb `watch` for these paths, so nothing but a watch may be served there.
  if (watches && (method !== 'GET' || subresource !== '')) throw methodNotAllowed();
  const named = watches ? 'watch' : VERBS[shapeOf(place)][method];
  const verb = named === 'list' && wantsWatch(query) ? 'watch' : named;
  const allowed = findSubresource(type, subresource)?.verbs ?? type.verbs;
  if (verb === undefined || !allowed.includes(verb)) throw methodNotAllowed();
  return { type, namespace, name, subresource, verb };
}

/** Looks up a type by group (`''` for core), version and plural; undefined if there is none. */
export type FindType = (group: string, version: string, resource: string) => ResourceType | undefined;

/** Removes `watch` from paths such as `/api/v1/watch/pods`, the deprecated form of `?watch=true`. */
function withoutWatch(segments: readonly string[]): { segments: readonly string[]; watches: boolean } {
  const at = segments[0] === 'api' ? 2 : 3;
  const watches = segments[at] === 'watch' && segments.length > at + 1;
  return { segments: watches ? segments.toSpliced(at, 1) : segments, watches };
}

type Place = Omit<ResourceRoute, 'verb'>;

function locate(segments: readonly string[], find: FindType): Place | undefined {
  const [root, ...rest] = segments;
  if (root === 'api' && rest.length >= 2) {
    const [version = '', ...path] = rest;
    return place({ group: '', version, find }, path);
  }
  if (root === 'apis' && rest.length >= 3) {
    const [group = '', version = '', ...path] = rest;
    return place({ group, version, find }, path);
  }
  return undefined;
}

interface Sought {
  readonly group: string;
  readonly version: string;
  readonly find: FindType;
}

function place(sought: Sought, path: readonly string[]): Place {
  const [first, namespace = '', resource = '', ...rest] = path;
  const inNamespace = first === 'namespaces' && path.length > 2 && !isOfNamespace(sought.group, resource);
  return inNamespace
    ? object({ ...sought, resource, namespace: namespace === '' ? undefined : namespace, rest })
    : object({ ...sought, resource: first ?? '', namespace: undefined, rest: path.slice(1) });
}

interface Parts extends Sought {
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly rest: readonly string[];
}

function object({ group, version, find, resource, namespace, rest }: Parts): Place {
  const type = find(group, version, resource);
  const [name = '', subresource = '', ...more] = rest;
  const isWhole = more.length === 0 || subresource === PROXY;
  if (type === undefined || !isWhole || !isScope(type, namespace, name)) throw noSuchPath();
  // Reviews are not stored, so no path names a review.
  if (name !== '' && subresource === '' && !isStored(type)) throw noSuchPath();
  if (subresource !== '' && findSubresource(type, subresource) === undefined) {
    throw type.custom === undefined ? noSuchPath() : notFound(type, name);
  }
  refuseImpossible(type, namespace ?? '', name);
  return { type, namespace: namespace ?? '', name, subresource };
}

function findSubresource(type: ResourceType, subresource: string): Subresource | undefined {
  const own = isStored(type) ? [SELECTED_BY, SELECTED, HISTORY] : [];
  return [...subresourcesOf(type), ...own].find(({ name }) => name === subresource);
}

/** Whether the path fits the scope of the type. */
function isScope(type: ResourceType, namespace: string | undefined, name: string): boolean {
  if (type.scope === 'Cluster') return namespace === undefined;
  return namespace === undefined ? name === '' : namespace !== '';
}

function refuseImpossible(type: ResourceType, namespace: string, name: string): void {
  if (namespace.length > LONGEST_NAME || namespace.includes('/')) {
    throw notFound({ group: '', resource: 'namespaces' }, namespace);
  }
  if (name.includes('/')) throw noSuchPath();
  if (name === '.' || name === '..') {
    throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: may not be '${name}'`);
  }
  if (Buffer.byteLength(name) > LONGEST_NAME) throw notFound(type, name);
}

function shapeOf({ type, namespace, name, subresource }: Place): keyof typeof VERBS {
  if (subresource === SELECTED.name) return 'members';
  if (subresource !== '') return 'subresource';
  if (name !== '') return 'object';
  return type.scope === 'Namespaced' && namespace === '' ? 'everywhere' : 'collection';
}

function wantsWatch(query: URLSearchParams): boolean {
  return isTrue(query.get('watch'));
}

/** Parses a boolean of a query. Every value except `0` and `false` is true, also an empty one. */
export function isTrue(text: string | null): boolean {
  return text !== null && text !== '0' && text.toLowerCase() !== 'false';
}

import {
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

/** What a request for objects asks for. */
export interface ResourceRoute {
  readonly type: ResourceType;
  readonly verb: Verb;
  /** `''` in cluster scope, and for all namespaces. */
  readonly namespace: string;
  /** `''` for a collection; a watch may have one all the same. */
  readonly name: string;
  /** `''` for the object itself. */
  readonly subresource: string;
}

/** The methods of each kind of path. */
const VERBS: Readonly<
  Record<'collection' | 'everywhere' | 'object' | 'subresource' | 'members', Readonly<Record<string, Verb>>>
> = {
  collection: { GET: 'list', POST: 'create', DELETE: 'deletecollection' },
  // All namespaces at once: an object is created in one, and deleting in all at once is too easy a mistake.
  everywhere: { GET: 'list' },
  object: { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' },
  members: { GET: 'list' },
  subresource: { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' },
};

/** `/namespaces/x/status` is the subresource of a namespace, not a resource called "status" in it. */
export const OF_NAMESPACE: readonly string[] = ['status', 'finalize', SELECTED_BY.name, SELECTED.name];
/** The one subresource that has paths below it. */
const PROXY = 'proxy';

/**
 * The segments of a path, percent-decoded; slashes at either end do not count.
 * @throws ApiError 400 when an escape is malformed.
 */
export function splitPath(path: string): readonly string[] {
  const trimmed = path.replace(/^\/+|\/+$/g, '');
  try {
    return trimmed === '' ? [] : trimmed.split('/').map(decodeURIComponent);
  } catch {
    throw badRequest(`the path ${JSON.stringify(path)} has a malformed percent escape`);
  }
}

/** Whether a path is one of a group that there is: only then is what is not there told in a Status. */
export function isOfGroup(path: string, types: readonly ResourceType[]): boolean {
  const [empty, root, group] = path.split('/');
  return empty === '' && (root === 'api' || (root === 'apis' && types.some((type) => type.group === group)));
}

/**
 * What objects a request is about, `undefined` for a path that is not about objects (discovery, `/version`).
 * `find` knows the types that there are.
 * Paths as in https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris.
 * @throws ApiError 404 for a type or subresource that is not served, 405 for a method the path does not take.
 */
export function routeOf(
  { method, path, query }: Pick<ApiRequest, 'method' | 'path' | 'query'>,
  find: FindType,
): ResourceRoute | undefined {
  const { segments, watches } = withoutWatch(splitPath(path));
  const place = locate(segments, find);
  if (place === undefined) return undefined;
  const { type, namespace, name, subresource } = place;
  // There is nothing but watches there, and who may watch is let come there.
  if (watches && (method !== 'GET' || subresource !== '')) throw methodNotAllowed();
  const verb = watches ? 'watch' : VERBS[shapeOf(place)][method];
  const allowed = findSubresource(type, subresource)?.verbs ?? type.verbs;
  if (verb === undefined || !allowed.includes(verb)) throw methodNotAllowed();
  return { type, namespace, name, subresource, verb: verb === 'list' && wantsWatch(query) ? 'watch' : verb };
}

/** The type behind a URL's group (`''` for core), version and plural; `undefined` where there is none. */
export type FindType = (group: string, version: string, resource: string) => ResourceType | undefined;

/** `/api/v1/watch/pods` and the like: how watches were asked for before `?watch=true`, and still may be. */
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
  const inNamespace = first === 'namespaces' && path.length > 2 && !OF_NAMESPACE.includes(resource);
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
  // A review is answered and gone: no path names one.
  if (name !== '' && subresource === '' && !isStored(type)) throw noSuchPath();
  if (subresource !== '' && findSubresource(type, subresource) === undefined) {
    throw type.custom === undefined ? noSuchPath() : notFound(type, name);
  }
  refuseImpossible(type, namespace ?? '', name);
  return { type, namespace: namespace ?? '', name, subresource };
}

function findSubresource(type: ResourceType, subresource: string): Subresource | undefined {
  const own = isStored(type) ? [SELECTED_BY, SELECTED] : [];
  return [...subresourcesOf(type), ...own].find(({ name }) => name === subresource);
}

/** Whether the type lives where the path looks for it. */
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

/** A boolean in a query: `1` and `true` say yes, and so does a parameter without a value. */
export function isTrue(text: string | null): boolean {
  return text !== null && text !== '0' && text.toLowerCase() !== 'false';
}

import type { Access } from '../../kubernetes/rbac/index.ts';
import { HISTORY } from '../../kubernetes/resource-types/index.ts';
import { parseFieldSelector } from '../../selectors/index.ts';
import { type ApiRequest, isOfNamespace, isTrue, readHistoryTarget, splitPath } from '../http/index.ts';

const VERBS: Readonly<Partial<Record<string, string>>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** The kind whose objects are changes of other kinds. */
const HISTORIES = { group: 'winnow.dev', resource: 'histories' };

/** Verbs that a path can name before the resource type. */
const IN_PATH: readonly string[] = ['proxy', 'watch'];

/**
 * The access that a request needs, read from its method, path and query only. The resource type or the path need not
 * exist. This is RequestInfo of Kubernetes (k8s.io/apiserver/pkg/endpoints/request). A request for `histories` of pods
 * needs access to `pods/history`.
 *
 * @throws ApiError 400 the path has a malformed escape, or a request for `histories` names no resource
 */
export function attributesOf({ method, path, query }: Pick<ApiRequest, 'method' | 'path' | 'query'>): Access {
  const segments = splitPath(path);
  const [root] = segments;
  const isObjects = (root === 'api' && segments.length >= 3) || (root === 'apis' && segments.length >= 4);
  if (!isObjects) return { verb: method.toLowerCase(), path: decodeURIComponent(path) };
  const [apiGroup = ''] = root === 'api' ? [''] : segments.slice(1);
  const rest = segments.slice(root === 'api' ? 2 : 3);
  const [first = ''] = rest;
  const isInPath = IN_PATH.includes(first) && rest.length > 1;
  const told = isInPath ? first : (VERBS[method] ?? '');
  const { namespace, parts } = inNamespace(apiGroup, isInPath ? rest.slice(1) : rest);
  const [resource = '', named = '', below = ''] = parts;
  const subresource = told === 'proxy' ? '' : below;
  const all = named === '' ? ofCollection(told, query) : { verb: told, name: named };
  const isHistory = apiGroup === HISTORIES.group && resource === HISTORIES.resource && named === '';
  if (!isHistory || VERBS[method] !== 'get') return { ...all, apiGroup, resource, subresource, namespace };
  const { group, resource: target } = readHistoryTarget(query);
  return { ...all, apiGroup: group, resource: target, subresource: HISTORY.name, namespace };
}

/** The path of a namespace itself counts as a path in that namespace. */
function inNamespace(
  group: string,
  parts: readonly string[],
): { namespace: string; parts: readonly string[] } {
  const [first, namespace = '', resource] = parts;
  if (first !== 'namespaces') return { namespace: '', parts };
  const isOwn = resource === undefined || isOfNamespace(group, resource);
  return { namespace, parts: isOwn ? parts : parts.slice(2) };
}

/** The verb of a request without a name. In a list or a watch, a field selector can name a single object. */
function ofCollection(verb: string, query: URLSearchParams): { verb: string; name: string } {
  if (verb === 'delete') return { verb: 'deletecollection', name: '' };
  if (verb !== 'get') return { verb, name: '' };
  return {
    verb: isTrue(query.get('watch')) ? 'watch' : 'list',
    name: nameIn(query.get('fieldSelector') ?? ''),
  };
}

function nameIn(fieldSelector: string): string {
  const [value = ''] = requiredIn(fieldSelector, 'metadata.name');
  return value === '.' || value === '..' || /[/%]/.test(value) ? '' : value;
}

/** The values that a field selector requires of a field; none if the selector is invalid. */
export function requiredIn(fieldSelector: string, wanted: string): readonly string[] {
  try {
    const { requirements } = parseFieldSelector(fieldSelector);
    const named = requirements.filter(({ field, operator }) => field === wanted && operator === '=');
    return named.map(({ value }) => value);
  } catch {
    // The LIST refuses an invalid selector.
    return [];
  }
}

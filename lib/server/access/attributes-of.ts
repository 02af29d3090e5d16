import type { Access } from '../../kubernetes/rbac/index.ts';
import { parseFieldSelector } from '../../selectors/index.ts';
import { type ApiRequest, isTrue, OF_NAMESPACE, splitPath } from '../http/index.ts';

const VERBS: Readonly<Partial<Record<string, string>>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Verbs that may stand in a path before the type. */
const IN_PATH: readonly string[] = ['proxy', 'watch'];

/**
 * What a request wants to do, told by its method, path and query alone: whether there is such a type, or such a path,
 * does not matter. Kubernetes' RequestInfo, of k8s.io/apiserver/pkg/endpoints/request.
 *
 * @throws ApiError 400 when an escape in the path is malformed
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
  const { namespace, parts } = inNamespace(isInPath ? rest.slice(1) : rest);
  const [resource = '', named = '', below = ''] = parts;
  const subresource = told === 'proxy' ? '' : below;
  const all = named === '' ? ofCollection(told, query) : { verb: told, name: named };
  return { ...all, apiGroup, resource, subresource, namespace };
}

/** A namespace's own path is one in it. */
function inNamespace(parts: readonly string[]): { namespace: string; parts: readonly string[] } {
  const [first, namespace = '', resource] = parts;
  if (first !== 'namespaces') return { namespace: '', parts };
  const isOwn = resource === undefined || OF_NAMESPACE.includes(resource);
  return { namespace, parts: isOwn ? parts : parts.slice(2) };
}

/** Without a name it is about several objects; of a list and a watch a field selector may name a single one. */
function ofCollection(verb: string, query: URLSearchParams): { verb: string; name: string } {
  if (verb === 'delete') return { verb: 'deletecollection', name: '' };
  if (verb !== 'get') return { verb, name: '' };
  return {
    verb: isTrue(query.get('watch')) ? 'watch' : 'list',
    name: nameIn(query.get('fieldSelector') ?? ''),
  };
}

function nameIn(fieldSelector: string): string {
  try {
    const { requirements } = parseFieldSelector(fieldSelector);
    const named = requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=');
    const { value = '' } = named ?? {};
    return value === '.' || value === '..' || /[/%]/.test(value) ? '' : value;
  } catch {
    // The LIST itself refuses it.
    return '';
  }
}

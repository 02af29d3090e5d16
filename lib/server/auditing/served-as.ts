import {
  findResourceType,
  isBuiltinGroup,
  type ResourceType,
} from '../../kubernetes/resource-types/index.ts';
import { type ApiRequest, routeOf, splitPath } from '../http/index.ts';

export interface ServedAs {
  /** Whether the method and the path are of objects that there are, or that a definition may have made. */
  readonly isServed: boolean;
  /** Whether these objects have data of their own, as ConfigMaps have. */
  readonly hasData: boolean;
}

/** Built-in types whose objects have a field `data` and are no Secrets. */
const WITH_DATA = new Set(['configmaps', 'controllerrevisions']);

/** What a request's path is about, told by the path alone. */
export function servedAs(request: Pick<ApiRequest, 'method' | 'path' | 'query'>): ServedAs {
  const [root, group = ''] = segmentsOf(request.path);
  if (root === 'apis' && !isBuiltinGroup(group)) return { isServed: isPlain(request.path), hasData: true };
  const type = builtinTypeOf(request);
  return {
    isServed: type !== undefined && isPlain(request.path),
    hasData: WITH_DATA.has(type?.resource ?? ''),
  };
}

/** Percent-decoded, so that no group is taken for another one; none where an escape is malformed. */
function segmentsOf(path: string): readonly string[] {
  try {
    return splitPath(path);
  } catch {
    return [];
  }
}

function builtinTypeOf(request: Pick<ApiRequest, 'method' | 'path' | 'query'>): ResourceType | undefined {
  try {
    return routeOf(request, findResourceType)?.type;
  } catch {
    return undefined;
  }
}

/** Every segment says something. An empty one shifts what the others are taken for: `/namespaces//secrets`. */
function isPlain(path: string): boolean {
  return /^(?:\/[^/]+)+$/.test(path);
}

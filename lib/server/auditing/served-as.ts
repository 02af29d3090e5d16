import {
  findResourceType,
  isBuiltinGroup,
  type ResourceType,
} from '../../kubernetes/resource-types/index.ts';
import { type ApiRequest, routeOf, splitPath } from '../http/index.ts';

export interface ServedAs {
  /** Whether the method and the path belong to a built-in type, or to a type that a definition may have created. */
  readonly isServed: boolean;
  /** Whether these objects have a field `data`, as ConfigMaps do. */
  readonly hasData: boolean;
}

/** Built-in types, other than Secrets, whose objects have a field `data`. */
const WITH_DATA = new Set(['configmaps', 'controllerrevisions']);

/** Classifies a request by its method and path alone. */
export function servedAs(request: Pick<ApiRequest, 'method' | 'path' | 'query'>): ServedAs {
  const [root, group = ''] = segmentsOf(request.path);
  if (root === 'apis' && !isBuiltinGroup(group)) return { isServed: isPlain(request.path), hasData: true };
  const type = builtinTypeOf(request);
  return {
    isServed: type !== undefined && isPlain(request.path),
    hasData: WITH_DATA.has(type?.resource ?? ''),
  };
}

/**
 * The segments of a path, percent-decoded so that an escaped group name is recognized; none if an escape is
 * malformed.
 */
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

/**
 * Whether no segment of a path is empty. An empty segment shifts the meaning of the segments after it, as in
 * `/namespaces//secrets`.
 */
function isPlain(path: string): boolean {
  return /^(?:\/[^/]+)+$/.test(path);
}

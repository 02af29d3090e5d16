import { type Refusal, refusalOf } from '../loopback-guard/index.ts';

/** The target of a request, read as Winnow reads it. */
export interface Target {
  /** Without dot segments, doubled slashes and a slash at the end. Each segment is encoded in one way. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Whether the request is for the API, and not for the page. */
  readonly isApi: boolean;
  /** The API group of the objects; `''` is the core group, undefined a path without objects. */
  readonly group: string | undefined;
  readonly resource: string;
  /** `''` for a collection. */
  readonly name: string;
  /** `''` for objects themselves. */
  readonly subresource: string;
  /** Whether a GET would be a watch. */
  readonly isWatch: boolean;
}

/** A character that a server could read as the end of a segment, or decode once more. No name of the API has one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const TRICK = /[/\\%\u0000-\u001f\u007f]/;
/** Subresources of a namespace, which have the places of resources in it. */
const OF_NAMESPACE: readonly string[] = ['status', 'finalize', 'selectedby', 'selected', 'history'];

/** Reads the target of a request. Targets that two servers could read differently are refused. */
export function readTarget(target: string): Target | Refusal {
  const [path = '', ...rest] = target.split('?');
  const segments = segmentsOf(path);
  if (segments === undefined) {
    const shown = JSON.stringify(path.slice(0, 100));
    return refusalOf(
      400,
      `the path ${shown} is ambiguous: use a path without empty or dot segments, and without encoded slashes`,
    );
  }
  const query = new URLSearchParams(rest.join('?'));
  const [root = '', second = ''] = segments;
  const isApi =
    root === 'api' || root === 'apis' || root === 'version' || (root === 'openapi' && second === 'v3');
  return {
    path: `/${segments.map(encodeURIComponent).join('/')}`,
    query,
    isApi,
    ...objectsIn(segments, isTrue(query.get('watch'))),
  };
}

/** The decoded segments of a path; undefined if the path is ambiguous. */
function segmentsOf(path: string): readonly string[] | undefined {
  if (!path.startsWith('/')) return undefined;
  const raw = path.replace(/\/$/, '').split('/').slice(1);
  try {
    const segments = raw.map(decodeURIComponent);
    return segments.some(isTrick) ? undefined : segments;
  } catch {
    return undefined;
  }
}

function isTrick(segment: string): boolean {
  return segment === '' || segment === '.' || segment === '..' || TRICK.test(segment);
}

type Objects = Pick<Target, 'group' | 'resource' | 'name' | 'subresource' | 'isWatch'>;

function objectsIn(segments: readonly string[], asksToWatch: boolean): Objects {
  const [root, second = ''] = segments;
  const isCore = root === 'api';
  const path = segments.slice(isCore ? 2 : 3);
  if ((!isCore && root !== 'apis') || path.length === 0) {
    return { group: undefined, resource: '', name: '', subresource: '', isWatch: false };
  }
  // `/api/v1/watch/pods` is the deprecated form of `?watch=true`.
  const isWatchPath = path[0] === 'watch' && path.length > 1;
  const plain = isWatchPath ? path.slice(1) : path;
  const [first, , inside = ''] = plain;
  const isOfNamespace = plain.length === 3 && OF_NAMESPACE.includes(inside);
  const isInNamespace = first === 'namespaces' && plain.length > 2 && !isOfNamespace;
  const [resource = '', name = '', subresource = ''] = isInNamespace ? plain.slice(2) : plain;
  const isWatch = isWatchPath || asksToWatch;
  return { group: isCore ? '' : second, resource, name, subresource, isWatch };
}

/** Parses a boolean of a query, as Winnow does: every value except `0` and `false` is true. */
function isTrue(text: string | null): boolean {
  return text !== null && text !== '0' && text.toLowerCase() !== 'false';
}

import { loadComponents } from '../../kubernetes/openapi/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { ApiRequest, ApiResponse } from '../http/index.ts';
import { methodNotAllowed, noSuchPath } from '../status/index.ts';
import { discover } from './discovery.ts';
import { type Document, jsonDocument, serveDocument } from './document.ts';
import { type Probe, serveHealth } from './health.ts';
import { openApi } from './openapi.ts';
import { VERSION } from './version.ts';

const HEALTH = ['/healthz', '/livez', '/readyz'];
const FIXED_PATHS = [...HEALTH, '/openapi/v2', '/openapi/v3', '/version'];

/**
 * Serves the documents besides objects: the list of paths, health, the version, discovery and OpenAPI. `types` are
 * all served types. `table` checks whether the table responds.
 *
 * @throws ApiError 404, 405
 */
export async function serveDocuments(
  { method, path, query, headers }: ApiRequest,
  types: readonly ResourceType[],
  table: Probe,
): Promise<ApiResponse> {
  const plain = path.replace(/(?<=.)\/+$/, '');
  if (HEALTH.includes(plain)) {
    if (method !== 'GET') throw methodNotAllowed();
    const ping = async () => {};
    return serveHealth(plain, query, plain === '/livez' ? { ping } : { ping, table });
  }
  const { accept, host } = headers;
  const document = path.startsWith('//')
    ? undefined
    : await documentAt(plain, { query, accept, types, host });
  if (document === undefined) throw noSuchPath();
  // Kubernetes returns the document of a group for every method.
  if (method !== 'GET' && !/^\/apis\/[^/]+$/.test(plain)) throw methodNotAllowed();
  return serveDocument(document, headers['if-none-match']);
}

interface Wanted {
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
  /** The host that the client used. */
  readonly host: string | undefined;
  readonly types: readonly ResourceType[];
}

async function documentAt(path: string, wanted: Wanted): Promise<Document | undefined> {
  const { query, accept, types } = wanted;
  switch (path) {
    case '':
    case '/':
      return jsonDocument({ paths: allPaths(types) });
    case '/version':
      return jsonDocument(VERSION);
    default:
      return path.startsWith('/openapi/')
        ? openApi(path, { query, accept, types, components: await loadComponents() })
        : discover(path, wanted);
  }
}

function allPaths(types: readonly ResourceType[]): string[] {
  const discovery = types.flatMap(({ group, version }) =>
    group === '' ? ['/api', `/api/${version}`] : ['/apis', `/apis/${group}`, `/apis/${group}/${version}`],
  );
  return [...new Set([...discovery, ...FIXED_PATHS])].sort();
}

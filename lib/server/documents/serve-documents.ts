import type { Components } from '../../kubernetes/openapi/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { ApiRequest, ApiResponse } from '../http/index.ts';
import { methodNotAllowed, noSuchPath } from '../status/index.ts';
import { discover } from './discovery.ts';
import { type Document, jsonDocument, serveDocument } from './document.ts';
import { type Probe, type Probes, serveHealth } from './health.ts';
import { serveMetrics } from './metrics.ts';
import { openApi } from './openapi.ts';
import { VERSION } from './version.ts';

const METRICS = ['/metrics', '/metrics/slis'];
const FIXED_PATHS = [
  ...['/healthz', '/livez', ...METRICS, '/openapi/v2', '/openapi/v3'],
  ...['/readyz', '/version'],
];

/** The sources of documents, besides the served types. */
export interface Sources {
  /** Loads the schemas of Kubernetes' kinds; undefined in a function that serves no OpenAPI documents. */
  readonly openApi: (() => Promise<Components>) | undefined;
  /** Checks whether the table responds. */
  readonly table: Probe;
}

/**
 * Serves the documents besides objects: the list of paths, health, metrics, the version, discovery and OpenAPI. `types` are
 * all served types.
 *
 * @throws ApiError 404, 405
 */
export async function serveDocuments(
  { method, path, query, headers }: ApiRequest,
  types: readonly ResourceType[],
  sources: Sources,
): Promise<ApiResponse> {
  const plain = path.replace(/(?<=.)\/+$/, '');
  const checks = checksOf(sources);
  const probes = checks[plain.slice(1)];
  if (method !== 'GET' && (probes !== undefined || METRICS.includes(plain))) throw methodNotAllowed();
  if (probes !== undefined) return serveHealth(plain, query, probes);
  if (METRICS.includes(plain)) return serveMetrics(plain, checks);
  if (method !== 'GET' && plain.startsWith('/openapi/')) throw methodNotAllowed();
  const { accept, host } = headers;
  const document = path.startsWith('//')
    ? undefined
    : await documentAt(plain, { ...sources, query, accept, types, host });
  if (document === undefined) throw noSuchPath();
  // Kubernetes returns the document of a group for every method.
  if (method !== 'GET' && !/^\/apis\/[^/]+$/.test(plain)) throw methodNotAllowed();
  return serveDocument(document, headers['if-none-match']);
}

/** The health checks by their path. */
function checksOf({ table }: Sources): Readonly<Record<string, Probes>> {
  const ping = async () => {};
  return { healthz: { ping, table }, livez: { ping }, readyz: { ping, table } };
}

interface Wanted extends Sources {
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
  /** The host that the client used. */
  readonly host: string | undefined;
  readonly types: readonly ResourceType[];
}

async function documentAt(path: string, wanted: Wanted): Promise<Document | undefined> {
  const { query, accept, types, openApi: components } = wanted;
  switch (path) {
    case '':
    case '/':
      return jsonDocument({ paths: allPaths(types) });
    case '/version':
      return jsonDocument(VERSION);
    default:
      if (!path.startsWith('/openapi/')) return discover(path, wanted);
      return components && openApi(path, { query, accept, types, components: await components() });
  }
}

function allPaths(types: readonly ResourceType[]): string[] {
  const discovery = types.flatMap(({ group, version }) =>
    group === '' ? ['/api', `/api/${version}`] : ['/apis', `/apis/${group}`, `/apis/${group}/${version}`],
  );
  return [...new Set([...discovery, ...FIXED_PATHS])].sort();
}

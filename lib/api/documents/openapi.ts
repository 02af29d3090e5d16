import { splitPath } from '../http/index.ts';
import { type ResourceType, resourceTypes } from '../resource-types/index.ts';
import { type Document, hash, jsonDocument } from './document.ts';
import { openApiDocument } from './openapi-document.ts';

const V2 = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const YEAR_SECONDS = 365 * 24 * 3_600;

interface Published {
  readonly document: Document;
  readonly hash: string;
}

/**
 * The OpenAPI document at a path: `/openapi/v3` is an index of one document for each group and version, named
 * with its hash so that clients fetch it once. `/openapi/v2` is a protobuf document of no bytes: valid, empty,
 * and enough for old kubectl to leave validation to the server. `undefined` where nothing is.
 */
export function openApi(path: string, query: URLSearchParams): Document | undefined {
  const [root, version, ...rest] = splitPath(path);
  if (root !== 'openapi') return undefined;
  if (version === 'v2' && rest.length === 0) return { headers: { 'content-type': V2 }, body: '' };
  if (version !== 'v3') return undefined;
  return rest.length === 0 ? index() : groupVersion(rest.join('/'), query.get('hash'));
}

function index(): Document {
  const entries = [...documents()].map(([path, published]) => [
    path,
    { serverRelativeURL: `/openapi/v3/${path}?hash=${published.hash}` },
  ]);
  return jsonDocument({ paths: Object.fromEntries(entries) });
}

/** The document at a path below `/openapi/v3/`. Asked for by its hash it never changes, and says so. */
function groupVersion(path: string, asked: string | null): Document | undefined {
  const found = documents().get(path);
  if (found === undefined || asked !== found.hash) return found?.document;
  const lifetime = { 'cache-control': `private, max-age=${YEAR_SECONDS}, immutable` };
  return { ...found.document, headers: { ...found.document.headers, ...lifetime } };
}

let published: ReadonlyMap<string, Published> | undefined;

/** Every document by its path below `/openapi/v3/`; made once, by the first request that needs one. */
function documents(): ReadonlyMap<string, Published> {
  published ??= new Map(
    [...Map.groupBy(resourceTypes, pathOf)].map(([path, of]) => [path, publish(path, of)]),
  );
  return published;
}

function publish(path: string, types: readonly ResourceType[]): Published {
  const document = jsonDocument(openApiDocument(path, types));
  return { document, hash: hash(document.body) };
}

function pathOf({ group, version }: ResourceType): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

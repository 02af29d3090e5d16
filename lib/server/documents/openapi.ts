import type { FieldTable } from '../../kubernetes/fields/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { parseAccept, splitPath } from '../http/index.ts';
import { type Document, hash, jsonDocument } from './document.ts';
import { openApiDocument } from './openapi-document.ts';
import { swagger } from './swagger.ts';

/** The media type of protobuf documents in responses. The pattern below matches it in requests. */
const V2_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const V2 = /^application\/com\.github\.proto-openapi\.spec\.v2[.@]v1\.0\+protobuf$/;
const YEAR_SECONDS = 365 * 24 * 3_600;

interface Published {
  readonly document: Document;
  readonly hash: string;
}

interface Wanted {
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
  readonly types: readonly ResourceType[];
  /** The fields of Kubernetes' built-in kinds. */
  readonly fields: FieldTable;
}

/**
 * Returns the OpenAPI document at a path; undefined if there is none.
 *
 * - `/openapi/v3` is an index of one document for each group and version. The URLs hold the hashes of the documents,
 *   so that clients fetch each only once.
 * - `/openapi/v2` is all documents together, in JSON. kubectl requests it as protobuf and receives an empty document.
 *   That is valid, and makes old versions of kubectl leave validation to the server.
 */
export function openApi(path: string, { query, accept, types, fields }: Wanted): Document | undefined {
  const [root, version, ...rest] = splitPath(path);
  if (root !== 'openapi') return undefined;
  if (version === 'v2' && rest.length === 0) {
    const wantsProtobuf = parseAccept(accept).some(({ type }) => V2.test(type));
    return wantsProtobuf
      ? { headers: { 'content-type': V2_TYPE }, body: '' }
      : jsonDocument(
          swagger([...documents(types, fields).values()].map(({ document }) => JSON.parse(document.body))),
        );
  }
  if (version !== 'v3') return undefined;
  const published = documents(types, fields);
  return rest.length === 0
    ? index(published)
    : groupVersion(published.get(rest.join('/')), query.get('hash'));
}

function index(published: ReadonlyMap<string, Published>): Document {
  const entries = [...published].map(([path, { hash: own }]) => [
    path,
    { serverRelativeURL: `/openapi/v3/${path}?hash=${own}` },
  ]);
  // Kubernetes sets no content type here, and Go detects plain text.
  return jsonDocument(
    { paths: Object.fromEntries(entries) },
    { 'content-type': 'text/plain; charset=utf-8' },
  );
}

/**
 * The document at a path below `/openapi/v3/`. A request with its current hash receives a cache header that says it
 * never changes.
 */
function groupVersion(found: Published | undefined, asked: string | null): Document | undefined {
  if (found === undefined || asked !== found.hash) return found?.document;
  const lifetime = { 'cache-control': `private, max-age=${YEAR_SECONDS}, immutable` };
  return { ...found.document, headers: { ...found.document.headers, ...lifetime } };
}

/**
 * Published documents by the first type of their group and version. The type objects are the same as long as their
 * definitions do not change.
 */
const PUBLISHED = new WeakMap<ResourceType, Published & { readonly types: readonly ResourceType[] }>();

/**
 * Returns each document by its path below `/openapi/v3/`. A document is built once, by the first request that needs
 * it.
 */
function documents(types: readonly ResourceType[], fields: FieldTable): ReadonlyMap<string, Published> {
  return new Map([...Map.groupBy(types, pathOf)].map(([path, of]) => [path, publish(path, of, fields)]));
}

function publish(path: string, types: readonly ResourceType[], fields: FieldTable): Published {
  const [first] = types;
  const known = first && PUBLISHED.get(first);
  const isSame = known?.types.length === types.length && known.types.every((type, at) => type === types[at]);
  if (isSame) return known;
  const document = jsonDocument(openApiDocument(path, types, fields));
  const published = { document, hash: hash(document.body), types };
  if (first !== undefined) PUBLISHED.set(first, published);
  return published;
}

function pathOf({ group, version }: ResourceType): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

import type { JsonObject } from '../../json/index.ts';
import type { Components } from '../../kubernetes/openapi/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { parseAccept, splitPath } from '../http/index.ts';
import { type Document, hash, jsonDocument, type TextDocument } from './document.ts';
import { discoveryPath, openApiPaths } from './openapi-paths.ts';
import { openApiSchemas } from './openapi-schemas.ts';
import { swagger } from './swagger.ts';
import { swaggerProtobuf } from './swagger-protobuf.ts';
import { VERSION } from './version.ts';

/** The media types of the protobuf form: of the response, and of the Accept header. */
const V2_TYPE = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const V2 = /^application\/com\.github\.proto-openapi\.spec\.v2[.@]v1\.0\+protobuf$/;
const YEAR_SECONDS = 365 * 24 * 3_600;

interface Published {
  readonly document: TextDocument;
  readonly hash: string;
}

interface Wanted {
  readonly query: URLSearchParams;
  readonly accept: string | undefined;
  readonly types: readonly ResourceType[];
  /** The schemas of Kubernetes' own kinds. */
  readonly components: Components;
}

/**
 * The OpenAPI document at a path: `/openapi/v3` is an index of one document for each group and version, named with its
 * hash so that clients fetch it once. `/openapi/v2` is all of them together, in JSON or in protobuf. `undefined` where
 * there is none.
 */
export function openApi(path: string, { query, accept, types, components }: Wanted): Document | undefined {
  const [root, version, ...rest] = splitPath(path);
  if (root !== 'openapi') return undefined;
  const published = () => documents(types, components);
  if (version === 'v2' && rest.length === 0) {
    const ranges = parseAccept(accept);
    const form = ranges.some(({ type }) => V2.test(type)) ? 'protobuf' : 'json';
    return together(published(), components)[form]();
  }
  if (version !== 'v3') return undefined;
  return rest.length === 0
    ? index(published())
    : groupVersion(published().get(rest.join('/')), query.get('hash'));
}

interface Together {
  /** The version 3 documents that it was made from. */
  readonly hash: string;
  json(): Document;
  protobuf(): Document;
}

let latest: Together | undefined;

/** The version 2 document. It is computed once for the same version 3 documents. */
function together(published: ReadonlyMap<string, Published>, components: Components): Together {
  const of = hash([...published.values()].map((one) => one.hash).join());
  if (latest?.hash === of) return latest;
  const whole = once(() =>
    swagger(
      [...published.values()].map(({ document }) => JSON.parse(document.body)),
      components,
    ),
  );
  latest = {
    hash: of,
    json: once(() => jsonDocument(whole())),
    protobuf: once(() => ({
      headers: { 'content-type': V2_TYPE, etag: `"${of}"`, vary: 'Accept' },
      body: swaggerProtobuf(whole()),
    })),
  };
  return latest;
}

function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function index(published: ReadonlyMap<string, Published>): Document {
  const entries = [...published].map(([path, { hash: own }]) => [
    path,
    { serverRelativeURL: `/openapi/v3/${path}?hash=${own}` },
  ]);
  // Kubernetes sets no type here, and Go's guess is text.
  return jsonDocument(
    { paths: Object.fromEntries(entries) },
    { 'content-type': 'text/plain; charset=utf-8' },
  );
}

/** Returns the document at a path below `/openapi/v3/`. A request with its hash gets it as immutable. */
function groupVersion(found: Published | undefined, asked: string | null): Document | undefined {
  if (found === undefined || asked !== found.hash) return found?.document;
  const lifetime = { 'cache-control': `private, max-age=${YEAR_SECONDS}, immutable` };
  return { ...found.document, headers: { ...found.document.headers, ...lifetime } };
}

/** The documents by the first type of their group and version. A type object is replaced if its definition changes. */
const PUBLISHED = new WeakMap<ResourceType, Published & { readonly types: readonly ResourceType[] }>();

/** Returns every document by its path below `/openapi/v3/`. The first request that needs one computes it. */
function documents(types: readonly ResourceType[], components: Components): ReadonlyMap<string, Published> {
  return new Map([...Map.groupBy(types, pathOf)].map(([path, of]) => [path, publish(path, of, components)]));
}

function publish(path: string, types: readonly ResourceType[], components: Components): Published {
  const [first] = types;
  const known = first && PUBLISHED.get(first);
  const isSame = known?.types.length === types.length && known.types.every((type, at) => type === types[at]);
  if (isSame) return known;
  const document = jsonDocument(openApiDocument(path, types, components));
  const published = { document, hash: hash(document.body), types };
  if (first !== undefined) PUBLISHED.set(first, published);
  return published;
}

function pathOf({ group, version }: ResourceType): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

/** Returns the OpenAPI v3 document of one group and version. `path` is `api/V` or `apis/G/V`. */
function openApiDocument(path: string, types: readonly ResourceType[], components: Components): JsonObject {
  return {
    openapi: '3.0.0',
    info: { title: 'Winnow', version: VERSION.gitVersion },
    paths: Object.assign(
      discoveryPath(`/${path}`, types),
      ...types.map((type) => openApiPaths(`/${path}`, type, components)),
    ),
    components: { schemas: openApiSchemas(types, components) },
  };
}

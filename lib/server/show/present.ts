import type { JsonObject } from '../../json/index.ts';
import { apiVersionOf } from '../../kubernetes/resource-types/index.ts';
import { type Call, isWatchList, negotiate, type ResourceRoute } from '../http/index.ts';
import { ApiError } from '../status/index.ts';
import { toPartialObjectMetadata, toPartialObjectMetadataList } from './partial-object-metadata.ts';
import { parseIncludeObject, toObjectTable, toRow, toTable } from './table-convertor.ts';

/** Shows objects the way the client asked for. */
export interface Presenter {
  object(object: JsonObject): JsonObject;
  /** `metadata` is the list's own: resourceVersion, continue. The last field are its members, an array. */
  list(objects: readonly JsonObject[], metadata: JsonObject): JsonObject;
  /** An object as a member of that array. */
  member(object: JsonObject): JsonObject;
  /** The object of a watch event; the first one of a watch says what a Table's columns are. */
  event(object: JsonObject, first: boolean): JsonObject;
}

/**
 * The presenter for a request's Accept header. Made before anything is written, so that a client that accepts
 * nothing we have is refused first. What Tables show is loaded for the first of them.
 * @throws ApiError 406, 400 for an unknown includeObject
 */
export async function presenterOf({ request, route, options }: Call): Promise<Presenter> {
  const { type, verb, name } = route;
  const { as, version } = negotiate(request.headers.accept, {
    streams: name === '' && verb !== 'create',
    isWatch: verb === 'watch',
    hasNoTable: verb === 'watch' && isWatchList(request.query),
  });
  switch (as) {
    case 'Table': {
      const includeObject = parseIncludeObject(request.query.get('includeObject'));
      const { tableLayout } = await import('../../kubernetes/columns/index.ts');
      const table = {
        layout: tableLayout(type),
        version,
        now: options.clock.now(),
        includeObject,
      };
      return {
        object: (object) => toObjectTable(object, table),
        list: (objects, metadata) => toTable(objects, { ...table, metadata }),
        member: (object) => toRow(object, table),
        event: (object, headers) => toObjectTable(object, { ...table, now: options.clock.now(), headers }),
      };
    }
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      refuseOtherNumber(route, as);
      return {
        object: (object) => toPartialObjectMetadata(object, version),
        list: (objects, metadata) => toPartialObjectMetadataList(objects, metadata, version),
        member: (object) => toPartialObjectMetadata(object, version),
        event: (object) => toPartialObjectMetadata(object, version),
      };
    case 'itself':
      return {
        object: (object) => object,
        list: (items, metadata) => ({
          kind: `${type.kind}List`,
          apiVersion: apiVersionOf(type),
          // What is no Go type of Kubernetes' own always says whether more follows.
          metadata: type.custom === undefined ? metadata : { continue: '', ...metadata },
          items: type.builtin ? items.map(withoutKind) : [...items],
        }),
        member: (object) => (type.builtin ? withoutKind(object) : object),
        event: (object) => object,
      };
  }
}

/** The metadata of one is asked for where there are several, or the other way round. */
function refuseOtherNumber({ type, verb }: ResourceRoute, as: string): void {
  const isList = verb === 'list' || verb === 'deletecollection';
  if (verb === 'watch' || isList === (as === 'PartialObjectMetadataList')) return;
  const name = `*${type.group === '' ? 'core' : type.group.split('.', 1)}.${type.kind}`;
  const what = isList ? `a list (${name}List)` : `not a list (${name})`;
  throw new ApiError(406, 'NotAcceptable', `you requested ${as}, but the requested object is ${what}`);
}

/** What stands in a list of Kubernetes' own kinds: the list says what its items are. */
function withoutKind({ apiVersion: _apiVersion, kind: _kind, ...item }: JsonObject): JsonObject {
  return item;
}

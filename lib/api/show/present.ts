import type { JsonObject } from '../../store/index.ts';
import { type Call, negotiate } from '../http/index.ts';
import { apiVersionOf } from '../resource-types/index.ts';
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
 * nothing we have is refused first.
 * @throws ApiError 406, 400 for an unknown includeObject
 */
export function presenterOf({ request, route, options }: Call): Presenter {
  const { type } = route;
  switch (negotiate(request.headers.accept)) {
    case 'table': {
      const table = {
        type,
        now: options.clock.now(),
        includeObject: parseIncludeObject(request.query.get('includeObject')),
      };
      return {
        object: (object) => toObjectTable(object, table),
        list: (objects, metadata) => toTable(objects, { ...table, metadata }),
        member: (object) => toRow(object, table),
        event: (object, headers) => toObjectTable(object, { ...table, now: options.clock.now(), headers }),
      };
    }
    case 'partial-metadata':
      return {
        object: toPartialObjectMetadata,
        list: toPartialObjectMetadataList,
        member: toPartialObjectMetadata,
        event: toPartialObjectMetadata,
      };
    case 'json':
      return {
        object: (object) => object,
        list: (items, metadata) => ({
          kind: `${type.kind}List`,
          apiVersion: apiVersionOf(type),
          metadata,
          items: type.builtin ? items.map(withoutKind) : [...items],
        }),
        member: (object) => (type.builtin ? withoutKind(object) : object),
        event: (object) => object,
      };
  }
}

/** What stands in a list of Kubernetes' own kinds: the list says what its items are. */
function withoutKind({ apiVersion: _apiVersion, kind: _kind, ...item }: JsonObject): JsonObject {
  return item;
}

import type { JsonObject } from '../../json/index.ts';
import { apiVersionOf } from '../../kubernetes/resource-types/index.ts';
import { type Call, isWatchList, negotiate, type ResourceRoute } from '../http/index.ts';
import { ApiError } from '../status/index.ts';
import { toPartialObjectMetadata, toPartialObjectMetadataList } from './partial-object-metadata.ts';

/** Shows objects in the form that the client requested. */
export interface Presenter {
  object(object: JsonObject): JsonObject;
  /** Shows a list. `metadata` is that of the list: resourceVersion, continue. The last field is the members' array. */
  list(objects: readonly JsonObject[], metadata: JsonObject): JsonObject;
  /** Shows an object as a member of that array. */
  member(object: JsonObject): JsonObject;
  /**
   * Whether members of the list have apiVersion and kind. Absent if the form shows only parts of objects. If it is
   * present, an object and the object of an event are shown as they are.
   */
  readonly members?: 'typed' | 'untyped';
  /** Shows the object of a watch event. In a watch of Tables, only the first event defines the columns. */
  event(object: JsonObject, first: boolean): JsonObject;
}

/**
 * The presenter for a request's Accept header. Verbs call this before they write, so that an unsupported Accept header
 * is refused first. The code for Tables is loaded with the first Table.
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
      const { tablePresenter } = await import('./table-convertor.ts');
      return tablePresenter(type, {
        version,
        include: request.query.get('includeObject'),
        clock: options.clock,
      });
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
          // Lists of custom kinds have no Go type in Kubernetes, and always have `continue`.
          metadata: type.custom === undefined ? metadata : { continue: '', ...metadata },
          items: type.builtin ? items.map(withoutKind) : [...items],
        }),
        member: (object) => (type.builtin ? withoutKind(object) : object),
        members: type.builtin ? 'untyped' : 'typed',
        event: (object) => object,
      };
  }
}

/** @throws ApiError 406 the client wants the metadata of one object for a list, or of a list for one object */
function refuseOtherNumber({ type, verb }: ResourceRoute, as: string): void {
  const isList = verb === 'list' || verb === 'deletecollection';
  if (verb === 'watch' || isList === (as === 'PartialObjectMetadataList')) return;
  const name = `*${type.group === '' ? 'core' : type.group.split('.', 1)}.${type.kind}`;
  const what = isList ? `a list (${name}List)` : `not a list (${name})`;
  throw new ApiError(406, 'NotAcceptable', `you requested ${as}, but the requested object is ${what}`);
}

/** A list item of one of Kubernetes' own kinds. It has no apiVersion and kind, because the list has them. */
function withoutKind({ apiVersion: _apiVersion, kind: _kind, ...item }: JsonObject): JsonObject {
  return item;
}

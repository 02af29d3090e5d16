import { carriedBy, type Selection } from '../../../kubernetes/carriers/index.ts';
import { collectionOfType, resourceTypes } from '../../../kubernetes/resource-types/index.ts';
import { parseSelector, type Selector } from '../../../selectors/index.ts';
import type { ObjectState } from '../../../store/index.ts';
import { type Call, collectionOfCall, objectNameOf } from '../../http/index.ts';
import { badRequest, notFound } from '../../status/index.ts';

/** The objects that a carrier selects, as a request for objects: the carrier's selector together with the client's. */
export interface Members {
  readonly call: Call;
  readonly selection: Selection;
}

/**
 * The members of the carrier that a request names, by its own selector or by that at `?path=`.
 * @throws ApiError 404 the carrier does not exist; 400 it has no selector there, or one that spans namespaces or is for
 * a resource that is not served; 403 the caller may not list, or watch, the selected objects
 */
export async function membersOf(call: Call): Promise<Members> {
  const { options, request, route } = call;
  const selection = await currentSelection(call, request.query.get('path') ?? '');
  if (selection === undefined) {
    const what = `${route.type.resource} ${JSON.stringify(route.name)}`;
    throw badRequest(`${what} has no selector, or none at the requested path`);
  }
  const { target, namespaces = [], selector, fields, namespaceSelector } = selection;
  if (namespaces.length > 1 || namespaceSelector !== undefined) {
    throw badRequest(
      'members cannot be listed for a selector that spans namespaces; use …/selectedby on each object',
    );
  }
  const types = [...resourceTypes, ...((await options.customTypes?.()) ?? [])];
  const type = types.find((one) => collectionOfType(one) === target);
  if (type === undefined) throw badRequest(`the selector is for ${target}, which the server does not serve`);
  const [namespace = ''] = namespaces;
  const { group: apiGroup, resource } = type;
  const access = { verb: route.verb, apiGroup, resource, subresource: '', namespace, name: '' };
  call.permit?.look(target, access);
  const query = new URLSearchParams(request.query);
  query.delete('path');
  setText(query, 'labelSelector', both(selector, query.get('labelSelector') ?? ''));
  setText(query, 'fieldSelector', [`${fields}`, query.get('fieldSelector') ?? ''].filter(Boolean).join(','));
  return {
    selection,
    call: {
      ...call,
      request: { ...request, query },
      route: { type, verb: route.verb, namespace, name: '', subresource: '' },
    },
  };
}

/**
 * The current selection of a carrier, read consistently; undefined if it has none at the path.
 * @throws ApiError 404
 */
export async function currentSelection(call: Call, path: string): Promise<Selection | undefined> {
  const { type, name } = call.route;
  const state = await call.options.store.get(collectionOfCall(call), objectNameOf(call));
  if (state === undefined) throw notFound(type, name);
  return selectionAt(state, call, path);
}

/** The selection at a path. Without a path it is the first, which selects the carrier's own objects. */
function selectionAt(state: ObjectState, call: Call, path: string): Selection | undefined {
  const { type } = call.route;
  const { namespace } = state.name;
  const carrier = { collection: collectionOfCall(call), namespace, body: state.body };
  return carriedBy(carrier, type.custom).find((one) => path === '' || one.path === path);
}

function both(selector: Selector, asked: string): string {
  return [`${selector}`, asked === '' ? '' : `${parseSelector(asked)}`].filter(Boolean).join(',');
}

function setText(query: URLSearchParams, name: string, text: string): void {
  if (text !== '') query.set(name, text);
}

/** Whether two selections, one of which may be gone, select the same objects. */
export function isSameSelection(one: Selection, other: Selection | undefined): boolean {
  const text = ({ target, namespaces, selector, fields }: Selection) =>
    JSON.stringify([target, namespaces, `${selector}`, `${fields}`]);
  return other !== undefined && other.namespaceSelector === undefined && text(one) === text(other);
}

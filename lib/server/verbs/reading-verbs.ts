import type { Answer, Call, Verbs } from '../http/index.ts';
import { bySubresource } from './by-subresource.ts';
import { getObject } from './get-object.ts';
import { listObjects, tellingOf } from './list-objects.ts';
import { watchObjects } from './watch-objects.ts';

const reachNode = async (call: Call) => (await import('./pods/index.ts')).reachNode(call);

const loadLabels = () => import('./labels/index.ts');

/** A LIST, or what else is asked of the objects that it would answer. */
async function listAny(call: Call): Promise<Answer> {
  const { query } = call.request;
  if (query.has('facets')) return (await loadLabels()).listFacets(call, tellingOf(call));
  return query.has('sortBy') ? (await loadLabels()).listSorted(call, tellingOf(call)) : listObjects(call);
}

const loadSelecting = () => import('./selecting/index.ts');

/** What GET does. In a file of its own, so that who writes does not load it. */
export const readingVerbs: Verbs = {
  get: bySubresource(getObject, {
    selectedby: async (call) => (await loadSelecting()).getSelectedBy(call),
    scale: async (call) => (await import('./scale-object.ts')).getScale(call),
    attach: reachNode,
    exec: reachNode,
    log: reachNode,
    portforward: reachNode,
    proxy: reachNode,
  }),
  list: bySubresource(listAny, {
    selected: async (call) => (await loadSelecting()).listSelected(call, listAny),
  }),
  watch: bySubresource(watchObjects, {
    selected: async (call) => (await loadSelecting()).watchSelected(call, watchObjects),
  }),
};

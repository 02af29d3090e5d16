import { isStored } from '../../kubernetes/resource-types/index.ts';
import type { Answer, Call, Verbs } from '../http/index.ts';
import { bySubresource } from './by-subresource.ts';
import { getObject } from './get-object.ts';
import { listObjects, tellingOf } from './list-objects.ts';
import { watchObjects } from './watch-objects.ts';

const reachNode = async (call: Call) => (await import('./reach-node.ts')).reachNode(call);

const loadLabels = () => import('./labels/index.ts');

const loadHistory = () => import('./history/index.ts');

/** A LIST or a variant of it: facets, or sorted objects. Changes are the only objects that are not stored. */
async function listAny(call: Call): Promise<Answer> {
  const { query } = call.request;
  if (!isStored(call.route.type)) return (await loadHistory()).listHistories(call);
  const counts = query.has('facets') || query.has('joint');
  if (counts) return (await loadLabels()).listFacets(call, tellingOf(call));
  return query.has('sortBy') ? (await loadLabels()).listSorted(call, tellingOf(call)) : listObjects(call);
}

const loadSelecting = () => import('./selecting/index.ts');

/** The verbs of GET. They have a file of their own, so that writes do not load it. */
export const readingVerbs: Verbs = {
  get: bySubresource(getObject, {
    history: async (call) => (await loadHistory()).getHistory(call),
    selectedby: async (call) => (await loadSelecting()).getSelectedBy(call),
    scale: async (call) => (await import('./get-scale.ts')).getScale(call),
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

import type { Call, Verbs } from '../http/index.ts';
import { bySubresource } from './by-subresource.ts';
import { getObject } from './get-object.ts';
import { listObjects } from './list-objects.ts';
import { watchObjects } from './watch-objects.ts';

const reachNode = async (call: Call) => (await import('./pods/index.ts')).reachNode(call);

/** What GET does. In a file of its own, so that who writes does not load it. */
export const readingVerbs: Verbs = {
  get: bySubresource(getObject, {
    scale: async (call) => (await import('./scale-object.ts')).getScale(call),
    attach: reachNode,
    exec: reachNode,
    log: reachNode,
    portforward: reachNode,
    proxy: reachNode,
  }),
  list: listObjects,
  watch: watchObjects,
};

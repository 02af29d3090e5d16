import { isStored } from '../../kubernetes/resource-types/index.ts';
import type { Call, Verbs } from '../http/index.ts';
import { bySubresource } from './by-subresource.ts';
import { createObject } from './create-object.ts';

/** Code that not every process needs is loaded by the first request that needs it. */
const loadDelete = () => import('./delete-object.ts');
const loadPatch = () => import('./patch-object.ts');
const loadUpdate = () => import('./update-object.ts');
const loadScale = () => import('./scale-object.ts');
const bindPod = async (call: Call) => (await import('./pods/index.ts')).bindPod(call);
const createReview = async (call: Call) => (await import('./create-review.ts')).createReview(call);
const reviewReachability = async (call: Call) =>
  (await import('./reaching/index.ts')).reviewReachability(call);
const reviewSelection = async (call: Call) => (await import('./selecting/index.ts')).reviewSelection(call);
const reachNode = async (call: Call) => (await import('./reach-node.ts')).reachNode(call);

/** The verbs of POST, PUT, PATCH and DELETE. */
export const writingVerbs: Verbs = {
  create: bySubresource(
    (call) => {
      if (isStored(call.route.type)) return createObject(call);
      switch (call.route.type.kind) {
        case 'Binding':
          return bindPod(call);
        case 'ReachabilityReview':
          return reviewReachability(call);
        case 'SelectionReview':
          return reviewSelection(call);
        default:
          return createReview(call);
      }
    },
    {
      attach: reachNode,
      binding: bindPod,
      eviction: async (call) => (await import('./pods/index.ts')).evictPod(call),
      exec: reachNode,
      portforward: reachNode,
      proxy: reachNode,
      token: async (call) => (await import('./tokens/index.ts')).requestToken(call),
    },
  ),
  update: bySubresource(async (call) => (await loadUpdate()).updateObject(call), {
    proxy: reachNode,
    scale: async (call) => (await loadScale()).updateScale(call),
  }),
  patch: bySubresource(async (call) => (await loadPatch()).patchObject(call), {
    proxy: reachNode,
    scale: async (call) => (await loadScale()).patchScale(call),
  }),
  delete: bySubresource(async (call) => (await loadDelete()).deleteObject(call), { proxy: reachNode }),
  deletecollection: async (call) => (await import('./delete-collection.ts')).deleteCollection(call),
};

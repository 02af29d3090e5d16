import type { Call, Verbs } from '../http/index.ts';
import { isStored } from '../resource-types/index.ts';
import { bySubresource } from './by-subresource.ts';
import { createObject } from './create-object.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteObject } from './delete-object.ts';
import { updateObject } from './update-object.ts';

/** What few requests ask for is loaded when one does. */
const loadPatch = () => import('./patch-object.ts');
const loadScale = () => import('./scale-object.ts');
const bindPod = async (call: Call) => (await import('./pods/index.ts')).bindPod(call);
const createReview = async (call: Call) => (await import('./create-review.ts')).createReview(call);
const reachNode = async (call: Call) => (await import('./pods/index.ts')).reachNode(call);

/** What POST, PUT, PATCH and DELETE do. */
export const writingVerbs: Verbs = {
  create: bySubresource(
    (call) => {
      if (isStored(call.route.type)) return createObject(call);
      return call.route.type.kind === 'Binding' ? bindPod(call) : createReview(call);
    },
    {
      attach: reachNode,
      binding: bindPod,
      eviction: async (call) => (await import('./pods/index.ts')).evictPod(call),
      exec: reachNode,
      portforward: reachNode,
      proxy: reachNode,
      token: async (call) => (await import('./request-token.ts')).requestToken(call),
    },
  ),
  update: bySubresource(updateObject, {
    proxy: reachNode,
    scale: async (call) => (await loadScale()).updateScale(call),
  }),
  patch: bySubresource(async (call) => (await loadPatch()).patchObject(call), {
    proxy: reachNode,
    scale: async (call) => (await loadScale()).patchScale(call),
  }),
  delete: bySubresource(deleteObject, { proxy: reachNode }),
  deletecollection: deleteCollection,
};

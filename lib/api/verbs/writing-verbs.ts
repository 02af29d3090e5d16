import type { Verbs } from '../http/index.ts';
import { isStored } from '../resource-types/index.ts';
import { createObject } from './create-object.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteObject } from './delete-object.ts';
import { orScale } from './or-scale.ts';
import { updateObject } from './update-object.ts';

/** What POST, PUT, PATCH and DELETE do. */
export const writingVerbs: Verbs = {
  create: async (call) =>
    isStored(call.route.type) ? createObject(call) : (await loadReviews()).createReview(call),
  update: orScale(updateObject, async (call) => (await loadScale()).updateScale(call)),
  patch: orScale(
    async (call) => (await loadPatch()).patchObject(call),
    async (call) => (await loadScale()).patchScale(call),
  ),
  delete: deleteObject,
  deletecollection: deleteCollection,
};

/** What few requests ask for is loaded when one does. */
const loadPatch = () => import('./patch-object.ts');
const loadScale = () => import('./scale-object.ts');
const loadReviews = () => import('./create-review.ts');

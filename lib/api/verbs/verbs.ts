import type { Answer, Call, Verbs } from '../http/index.ts';
import { isStored } from '../resource-types/index.ts';
import { createObject } from './create-object.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteObject } from './delete-object.ts';
import { getObject } from './get-object.ts';
import { listObjects } from './list-objects.ts';
import { updateObject } from './update-object.ts';
import { watchObjects } from './watch-objects.ts';

/** What GET does. */
export const readingVerbs: Verbs = {
  get: orScale(getObject, async (call) => (await loadScale()).getScale(call)),
  list: listObjects,
  watch: watchObjects,
};

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

type Verb = (call: Call) => Promise<Answer>;

/** What few requests ask for is loaded when one does. */
const loadPatch = () => import('./patch-object.ts');
const loadScale = () => import('./scale-object.ts');
const loadReviews = () => import('./create-review.ts');

function orScale(verb: Verb, ofScale: Verb): Verb {
  return (call) => (call.route.subresource === 'scale' ? ofScale(call) : verb(call));
}

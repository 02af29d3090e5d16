import type { Answer, Call, Verbs } from '../http/index.ts';
import { isStored } from '../resource-types/index.ts';
import { createObject } from './create-object.ts';
import { createReview } from './create-review.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteObject } from './delete-object.ts';
import { getObject } from './get-object.ts';
import { listObjects } from './list-objects.ts';
import { patchObject } from './patch-object.ts';
import { getScale, patchScale, updateScale } from './scale-object.ts';
import { updateObject } from './update-object.ts';
import { watchObjects } from './watch-objects.ts';

/** What GET does. */
export const readingVerbs: Verbs = {
  get: orScale(getObject, getScale),
  list: listObjects,
  watch: watchObjects,
};

/** What POST, PUT, PATCH and DELETE do. */
export const writingVerbs: Verbs = {
  create: (call) => (isStored(call.route.type) ? createObject(call) : createReview(call)),
  update: orScale(updateObject, updateScale),
  patch: orScale(patchObject, patchScale),
  delete: deleteObject,
  deletecollection: deleteCollection,
};

type Verb = (call: Call) => Promise<Answer>;

function orScale(verb: Verb, ofScale: Verb): Verb {
  return (call) => (call.route.subresource === 'scale' ? ofScale(call) : verb(call));
}

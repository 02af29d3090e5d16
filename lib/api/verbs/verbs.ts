import type { Verbs } from '../http/index.ts';
import { createObject } from './create-object.ts';
import { deleteCollection } from './delete-collection.ts';
import { deleteObject } from './delete-object.ts';
import { getObject } from './get-object.ts';
import { listObjects } from './list-objects.ts';
import { patchObject } from './patch-object.ts';
import { updateObject } from './update-object.ts';
import { watchObjects } from './watch-objects.ts';

/** What GET does. */
export const readingVerbs: Verbs = { get: getObject, list: listObjects, watch: watchObjects };

/** What POST, PUT, PATCH and DELETE do. */
export const writingVerbs: Verbs = {
  create: createObject,
  update: updateObject,
  patch: patchObject,
  delete: deleteObject,
  deletecollection: deleteCollection,
};

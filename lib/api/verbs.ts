import type { Verbs } from './call.ts';
import { createObject } from './create.ts';
import { deleteObject } from './delete.ts';
import { deleteCollection } from './delete-collection.ts';
import { getObject } from './get.ts';
import { listObjects } from './list.ts';
import { patchObject } from './patch.ts';
import { updateObject } from './update.ts';
import { watchObjects } from './watch.ts';

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

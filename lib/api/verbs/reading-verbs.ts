import type { Verbs } from '../http/index.ts';
import { getObject } from './get-object.ts';
import { listObjects } from './list-objects.ts';
import { orScale } from './or-scale.ts';
import { watchObjects } from './watch-objects.ts';

/** What GET does. In a file of its own, so that who writes does not load it. */
export const readingVerbs: Verbs = {
  get: orScale(getObject, async (call) => (await import('./scale-object.ts')).getScale(call)),
  list: listObjects,
  watch: watchObjects,
};

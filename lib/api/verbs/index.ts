/** One file a verb: the requests on objects. */
export { readingVerbs, writingVerbs } from './verbs.ts';

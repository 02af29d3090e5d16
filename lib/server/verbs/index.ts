/** One file a verb: the requests on objects. */
export { issuingVerbs } from './issuing-verbs.ts';
export { readingVerbs } from './reading-verbs.ts';
export { writingVerbs } from './writing-verbs.ts';

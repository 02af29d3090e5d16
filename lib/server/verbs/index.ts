/** The requests on objects, one file for each verb. */
export { issuingVerbs } from './issuing-verbs.ts';
export { readingVerbs } from './reading-verbs.ts';
export { writingVerbs } from './writing-verbs.ts';

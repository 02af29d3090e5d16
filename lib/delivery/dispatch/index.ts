/** One turn after the other: a collection's changes in the journal's order, to whom they concern. */
export { createDispatcher, type Dispatcher } from './dispatch.ts';

import type { ResourceType } from './resource-type.ts';

/** Whether objects of the type are kept; otherwise a create of one is a question, and its answer all there is. */
export function isStored({ verbs }: Pick<ResourceType, 'verbs'>): boolean {
  return verbs.includes('get');
}

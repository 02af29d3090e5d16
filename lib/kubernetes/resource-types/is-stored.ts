import type { ResourceType } from './resource-type.ts';

/** Whether objects of the type are stored. Otherwise a create is a request that is only answered. */
export function isStored({ verbs }: Pick<ResourceType, 'verbs'>): boolean {
  return verbs.includes('get');
}

import { findResourceType, type ResourceType } from '../../../kubernetes/resource-types/index.ts';

function historyType(): ResourceType {
  const type = findResourceType('winnow.dev', 'v1', 'histories');
  if (type === undefined) throw new Error('the resource type histories is missing');
  return type;
}

/** The kind of the items of both lists. */
export const HISTORY_TYPE = historyType();

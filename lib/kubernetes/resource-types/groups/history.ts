import type { ResourceDefinition } from '../define-resource-types.ts';

/**
 * A change of an object of any kind. It is not stored: the server reads it from the journal. The permission to list
 * these is `list` on the subresource `history` of that kind.
 */
export const HISTORY: ResourceDefinition = {
  kind: 'History',
  resource: 'histories',
  answersFrom: 'visible objects',
  description: 'History is a change of an object.',
  verbs: ['list'],
  builtin: false,
};

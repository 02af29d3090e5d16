import type { ResourceDefinition } from '../define-resource-types.ts';
import { array, fields, object, string, stringMap } from '../schema-fields.ts';

/** A review of selectors. It is answered and not stored. */
export const SELECTION_REVIEW: ResourceDefinition = {
  kind: 'SelectionReview',
  resource: 'selectionreviews',
  description: 'SelectionReview answers who selects an object, or would.',
  verbs: ['create'],
  scope: 'Cluster',
  builtin: false,
  properties: {
    spec: fields('The object.', {
      resource: fields('What it is one of.', {
        group: string('API group; empty for the core group.'),
        resource: string('Plural of the resource type.'),
      }),
      namespace: string('Its namespace.'),
      name: string('Of an object that is there: before is what it is now.'),
      labels: stringMap('Labels that are only being considered; or after.'),
      before: object('The object before a change.'),
      after: object('The object after it.'),
    }),
    status: fields('The carriers that select it.', {
      selectedBy: array('Selectors that match it after the change.', object('A selector.')),
      begins: array('Those that did not before.', object('A selector.')),
      stops: array('Those that do not any more.', object('A selector.')),
      overlaps: array('Controllers that take the same pod for theirs.', object('Two controllers.')),
    }),
  },
};

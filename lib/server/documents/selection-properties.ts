import {
  array,
  fields,
  object,
  type ResourceType,
  string,
  stringMap,
} from '../../kubernetes/resource-types/index.ts';

/** The fields of a SelectionReview. */
export const SELECTION_PROPERTIES: ResourceType['properties'] = {
  spec: fields('The object.', {
    resource: fields('The resource type of the object.', {
      group: string('API group; empty for the core group.'),
      resource: string('Plural of the resource type.'),
    }),
    namespace: string('The namespace of the object.'),
    name: string('The name of an existing object. Its stored state is the state before the change.'),
    labels: stringMap('Labels to try on the object. Set either labels or the field after.'),
    before: object('The object before a change.'),
    after: object('The object after the change.'),
  }),
  status: fields('The objects that select it.', {
    selectedBy: array('The selectors that match it after the change.', object('A selector.')),
    begins: array('The selectors that match it after the change and not before.', object('A selector.')),
    stops: array('The selectors that match it before the change and not after.', object('A selector.')),
    hidden: array(
      'The kinds of grants that the caller may not list, and that the other fields leave out.',
      string('AccessGrant or ClusterAccessGrant.'),
    ),
    overlaps: array('Pairs of controllers that select the same pod.', object('Two controllers.')),
  }),
};

import {
  defineResourceTypes,
  fields,
  type ResourceType,
  string,
} from '../../../kubernetes/resource-types/index.ts';

/** The kind of the items that `/selectedby` lists: a selector and its carrier. It is not stored. */
export const [SELECTION] = defineResourceTypes('winnow.dev', 'v1', [
  {
    kind: 'Selection',
    resource: 'selections',
    description: 'Selection is a selector that selects an object, with the object that holds the selector.',
    builtin: false,
    properties: {
      carrier: fields('The object that holds the selector.', {
        apiVersion: string('Its group and version.'),
        kind: string('Its kind.'),
      }),
      path: string('Path of the selector in that object.'),
      selector: string('The label selector.'),
      fieldSelector: string('The field selector.'),
      namespaceSelector: string('The label selector for namespaces.'),
    },
  },
]) as [ResourceType];

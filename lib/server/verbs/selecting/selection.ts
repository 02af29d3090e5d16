import {
  defineResourceTypes,
  fields,
  type ResourceType,
  string,
} from '../../../kubernetes/resource-types/index.ts';

/** What `/selectedby` answers a list of: a selector and whose it is. No object of its own. */
export const [SELECTION] = defineResourceTypes('winnow.dev', 'v1', [
  {
    kind: 'Selection',
    resource: 'selections',
    description: 'Selection says that an object is selected by another one.',
    builtin: false,
    properties: {
      carrier: fields('What selects.', {
        apiVersion: string('Its group and version.'),
        kind: string('Its kind.'),
      }),
      path: string('Where the selector stands in it.'),
      selector: string('By which labels.'),
      fieldSelector: string('By which fields.'),
      namespaceSelector: string('In namespaces with which labels.'),
    },
  },
]) as [ResourceType];

import type { ResourceDefinition } from '../define-resource-types.ts';

const REFERENCE = ['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'];

export const events: ResourceDefinition = {
  kind: 'Event',
  resource: 'events',
  createOnUpdate: true,
  isEvent: true,
  shortNames: ['ev'],
  nameRule: 'path',
  fields: [
    ...REFERENCE.map((key) => `involvedObject.${key}`),
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
};

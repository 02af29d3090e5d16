import { defineResourceTypes } from './define-resource-types.ts';
import type { ResourceType } from './resource-type.ts';
import { object } from './schema-fields.ts';

/** The type of requests to `/eviction` of a pod. An Eviction is not stored, but applied to the pod. */
export const [EVICTION] = defineResourceTypes('policy', 'v1', [
  {
    kind: 'Eviction',
    resource: 'evictions',
    description: 'Eviction requests the deletion of a pod, if its disruption budget allows that.',
    verbs: ['create'],
    properties: { deleteOptions: object('The options of the deletion.') },
  },
]) as [ResourceType];

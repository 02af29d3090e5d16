import { defineResourceTypes } from './define-resource-types.ts';
import type { ResourceType } from './resource-type.ts';
import { object } from './schema-fields.ts';

/** The type of requests to `/eviction` of a pod. An Eviction is not stored, but applied to the pod. */
export const [EVICTION] = defineResourceTypes('policy', 'v1', [
  {
    kind: 'Eviction',
    resource: 'evictions',
    description: 'Eviction asks that a pod goes, if its disruption budget lets it.',
    verbs: ['create'],
    properties: { deleteOptions: object('How to delete it.') },
  },
]) as [ResourceType];

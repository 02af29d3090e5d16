import { defineResourceTypes, type ResourceDefinition } from '../define-resource-types.ts';

const EXTENSION = {
  categories: ['api-extensions'],
  scope: 'Cluster',
  decides: 'writes',
} as const satisfies Partial<ResourceDefinition>;

/**
 * admissionregistration.k8s.io/v1. Policies decide writes. Webhook configurations are inventory: Winnow calls no
 * webhooks, and a warning says so.
 */
export const admissionregistration = defineResourceTypes('admissionregistration.k8s.io', 'v1', [
  {
    ...EXTENSION,
    kind: 'MutatingWebhookConfiguration',
    resource: 'mutatingwebhookconfigurations',
    countsGeneration: true,
  },
  {
    ...EXTENSION,
    kind: 'ValidatingAdmissionPolicy',
    resource: 'validatingadmissionpolicies',
    countsGeneration: true,
    status: true,
    statusKeeps: 'metadata',
  },
  {
    ...EXTENSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    resource: 'validatingadmissionpolicybindings',
    countsGeneration: true,
  },
  {
    ...EXTENSION,
    kind: 'ValidatingWebhookConfiguration',
    resource: 'validatingwebhookconfigurations',
    countsGeneration: true,
  },
]);

import { defineResourceTypes, type ResourceDefinition } from '../define-resource-types.ts';

const EXTENSION = {
  categories: ['api-extensions'],
  scope: 'Cluster',
  decides: 'writes',
  countsGeneration: true,
} as const satisfies Partial<ResourceDefinition>;

/** admissionregistration.k8s.io/v1: policies and webhooks, which decide and change what is written. */
export const admissionregistration = defineResourceTypes('admissionregistration.k8s.io', 'v1', [
  { ...EXTENSION, kind: 'MutatingAdmissionPolicy', resource: 'mutatingadmissionpolicies' },
  { ...EXTENSION, kind: 'MutatingAdmissionPolicyBinding', resource: 'mutatingadmissionpolicybindings' },
  { ...EXTENSION, kind: 'MutatingWebhookConfiguration', resource: 'mutatingwebhookconfigurations' },
  {
    ...EXTENSION,
    kind: 'ValidatingAdmissionPolicy',
    resource: 'validatingadmissionpolicies',
    status: true,
    statusKeeps: 'metadata',
  },
  { ...EXTENSION, kind: 'ValidatingAdmissionPolicyBinding', resource: 'validatingadmissionpolicybindings' },
  { ...EXTENSION, kind: 'ValidatingWebhookConfiguration', resource: 'validatingwebhookconfigurations' },
]);

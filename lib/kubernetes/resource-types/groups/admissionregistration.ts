import { defineResourceTypes, type ResourceDefinition } from '../define-resource-types.ts';

const EXTENSION = {
  categories: ['api-extensions'],
  scope: 'Cluster',
} as const satisfies Partial<ResourceDefinition>;

/**
 * admissionregistration.k8s.io/v1: inventory. Winnow calls no webhooks and evaluates no policies; a warning says so.
 */
export const admissionregistration = defineResourceTypes('admissionregistration.k8s.io', 'v1', [
  {
    ...EXTENSION,
    kind: 'MutatingWebhookConfiguration',
    resource: 'mutatingwebhookconfigurations',
    description: 'MutatingWebhookConfiguration says who may change what is written.',
  },
  {
    ...EXTENSION,
    kind: 'ValidatingAdmissionPolicy',
    resource: 'validatingadmissionpolicies',
    description: 'ValidatingAdmissionPolicy says what may be written.',
    status: true,
    statusKeeps: 'metadata',
  },
  {
    ...EXTENSION,
    kind: 'ValidatingAdmissionPolicyBinding',
    resource: 'validatingadmissionpolicybindings',
    description: 'ValidatingAdmissionPolicyBinding says where a policy holds.',
  },
  {
    ...EXTENSION,
    kind: 'ValidatingWebhookConfiguration',
    resource: 'validatingwebhookconfigurations',
    description: 'ValidatingWebhookConfiguration says who may refuse what is written.',
  },
]);

import { expect, test } from '@jest/globals';
import {
  isHiddenFromPolicies,
  isHiddenFromWebhooks,
} from '../../../../lib/kubernetes/admission-match/index.ts';

test.each([
  ['admissionregistration.k8s.io', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies', true, true],
  [
    'admissionregistration.k8s.io',
    'MutatingAdmissionPolicyBinding',
    'mutatingadmissionpolicybindings',
    true,
    true,
  ],
  [
    'admissionregistration.k8s.io',
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    false,
    true,
  ],
  [
    'admissionregistration.k8s.io',
    'MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    false,
    true,
  ],
  ['authentication.k8s.io', 'TokenReview', 'tokenreviews', true, true],
  ['authorization.k8s.io', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews', true, true],
  ['example.com', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies', false, false],
  ['apps', 'Deployment', 'deployments', false, false],
])('policies and webhooks do not see all writes: %s %s', (group, kind, resource, policies, webhooks) => {
  const version = 'v1';
  const addressed = { kind: { group, version, kind }, resource: { group, version, resource } };
  expect(isHiddenFromPolicies(addressed)).toBe(policies);
  expect(isHiddenFromWebhooks(addressed)).toBe(webhooks);
});

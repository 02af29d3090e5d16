import { loadExpressions } from '../admission-policies/index.ts';
import {
  admissionPolicy,
  admissionPolicyBinding,
  admissionPolicyStatus,
  mutatingPolicy,
  mutatingPolicyBinding,
  webhooks,
} from './admission/index.ts';
import type { KindRules, Rule } from './kind-rules.ts';

/** Returns the rules of the kinds that decide on writes. They load the library for expressions. */
export async function admissionKinds(): Promise<ReadonlyMap<string, KindRules>> {
  const loaded = await loadExpressions();
  const hooks: Rule = (body, old) => webhooks(body, old, loaded);
  const policy: Rule = (body, old) => admissionPolicy(body, old, loaded);
  const mutating: Rule = (body, old) => mutatingPolicy(body, old, loaded);
  return new Map<string, KindRules>([
    ['admissionregistration.k8s.io/MutatingAdmissionPolicy', { content: mutating, asNew: true }],
    [
      'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding',
      { content: mutatingPolicyBinding, asNew: true },
    ],
    ['admissionregistration.k8s.io/MutatingWebhookConfiguration', { content: hooks, asNew: true }],
    [
      'admissionregistration.k8s.io/ValidatingAdmissionPolicy',
      { content: policy, status: admissionPolicyStatus, asNew: true },
    ],
    [
      'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
      { content: admissionPolicyBinding, asNew: true },
    ],
    ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', { content: hooks, asNew: true }],
  ]);
}

import type { AdmissionAttributes } from './attributes.ts';

const REGISTRATIONS = 'admissionregistration.k8s.io';

/** The kinds that decide on writes. Nothing decides on them, so that a wrong one can be removed. */
const DECIDING: ReadonlySet<string> = new Set([
  ...['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  ...['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
]);
const WEBHOOKS: ReadonlySet<string> = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
]);

/** Reviews that policies never see (kube-apiserver's pkg/kubeapiserver/admission/exclusion). */
const REVIEWS: ReadonlySet<string> = new Set([
  ...['authentication.k8s.io/selfsubjectreviews', 'authentication.k8s.io/tokenreviews'],
  ...['authorization.k8s.io/localsubjectaccessreviews', 'authorization.k8s.io/selfsubjectaccessreviews'],
  ...['authorization.k8s.io/selfsubjectrulesreviews', 'authorization.k8s.io/subjectaccessreviews'],
]);

type Addressed = Pick<AdmissionAttributes, 'kind' | 'resource'>;

/** Returns true for writes that no policy sees: the four policy kinds, and reviews. */
export function isHiddenFromPolicies({ kind, resource }: Addressed): boolean {
  if (kind.group === REGISTRATIONS && DECIDING.has(kind.kind)) return true;
  return REVIEWS.has(`${resource.group}/${resource.resource}`);
}

/** Returns true for writes that no webhook sees: policies, webhook configurations, and reviews. */
export function isHiddenFromWebhooks(attributes: Addressed): boolean {
  const { group, kind } = attributes.kind;
  return isHiddenFromPolicies(attributes) || (group === REGISTRATIONS && WEBHOOKS.has(kind));
}

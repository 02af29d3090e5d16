/** Which writes admission policies, their bindings and webhooks apply to (admissionregistration.k8s.io/v1). Pure. */
export {
  type AdmissionAttributes,
  type AdmissionUser,
  type EquivalentResource,
  type GroupVersionKind,
  type GroupVersionResource,
  MatchError,
  type MatchedAs,
  type MatchFacts,
} from './attributes.ts';
export { isHiddenFromPolicies, isHiddenFromWebhooks } from './exempt.ts';
export { matchResources, matchWebhook } from './rules.ts';

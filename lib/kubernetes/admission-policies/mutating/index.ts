/**
 * MutatingAdmissionPolicies (admissionregistration.k8s.io/v1), as kube-apiserver 1.36 applies them. Pure. Loaded with the
 * first policy.
 */
export { type Changed, type Mutating, Mutator } from './mutator.ts';
export { PatchError, type PatchKind } from './patch-error.ts';
export { type Failure, PoliciesFailedError } from './policies-failed-error.ts';

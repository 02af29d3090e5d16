/** The validation rules of admission policies and webhook configurations, whose expressions must compile. */
export { admissionPolicyBinding } from './bindings.ts';
export { mutatingPolicy, mutatingPolicyBinding } from './mutating-policies.ts';
export { admissionPolicy } from './policies.ts';
export { admissionPolicyStatus } from './policy-status.ts';
export { webhooks } from './webhooks.ts';

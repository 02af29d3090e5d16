import { defineResourceTypes, type ResourceDefinition } from '../define-resource-types.ts';
import type { ResourceType } from '../resource-type.ts';

/** The properties of review types. A review is answered and not stored. */
const QUESTION = {
  verbs: ['create'],
  scope: 'Cluster',
} as const satisfies Partial<ResourceDefinition>;

/** authentication.k8s.io/v1 */
export const authentication = defineResourceTypes('authentication.k8s.io', 'v1', [
  {
    ...QUESTION,
    kind: 'SelfSubjectReview',
    resource: 'selfsubjectreviews',
    answersFrom: 'caller',
  },
  {
    ...QUESTION,
    kind: 'TokenReview',
    resource: 'tokenreviews',
  },
]);

/** The type of requests to `/token` of a service account. */
export const [TOKEN_REQUEST] = defineResourceTypes('authentication.k8s.io', 'v1', [
  {
    ...QUESTION,
    scope: 'Namespaced',
    kind: 'TokenRequest',
    resource: 'tokenrequests',
  },
]) as [ResourceType];

/** authorization.k8s.io/v1 */
export const authorization = defineResourceTypes('authorization.k8s.io', 'v1', [
  {
    ...QUESTION,
    kind: 'LocalSubjectAccessReview',
    resource: 'localsubjectaccessreviews',
    scope: 'Namespaced',
  },
  {
    ...QUESTION,
    kind: 'SelfSubjectAccessReview',
    resource: 'selfsubjectaccessreviews',
    answersFrom: 'caller',
  },
  {
    ...QUESTION,
    kind: 'SelfSubjectRulesReview',
    resource: 'selfsubjectrulesreviews',
    answersFrom: 'caller',
  },
  {
    ...QUESTION,
    kind: 'SubjectAccessReview',
    resource: 'subjectaccessreviews',
  },
]);

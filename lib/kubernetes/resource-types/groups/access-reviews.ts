import { defineResourceTypes, type ResourceDefinition } from '../define-resource-types.ts';
import type { ResourceType } from '../resource-type.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';

/** The properties of review types. A review is answered and not stored. */
const QUESTION = {
  verbs: ['create'],
  scope: 'Cluster',
  properties: SPEC_AND_STATUS,
} as const satisfies Partial<ResourceDefinition>;

/** authentication.k8s.io/v1 */
export const authentication = defineResourceTypes('authentication.k8s.io', 'v1', [
  {
    ...QUESTION,
    kind: 'SelfSubjectReview',
    resource: 'selfsubjectreviews',
    description: 'SelfSubjectReview answers who asks.',
  },
  {
    ...QUESTION,
    kind: 'TokenReview',
    resource: 'tokenreviews',
    description: 'TokenReview answers whose token it is.',
  },
]);

/** The type of requests to `/token` of a service account. */
export const [TOKEN_REQUEST] = defineResourceTypes('authentication.k8s.io', 'v1', [
  {
    ...QUESTION,
    scope: 'Namespaced',
    kind: 'TokenRequest',
    resource: 'tokenrequests',
    description: 'TokenRequest asks for a token of a service account.',
  },
]) as [ResourceType];

/** authorization.k8s.io/v1 */
export const authorization = defineResourceTypes('authorization.k8s.io', 'v1', [
  {
    ...QUESTION,
    kind: 'LocalSubjectAccessReview',
    resource: 'localsubjectaccessreviews',
    description: 'LocalSubjectAccessReview answers whether somebody may do something in a namespace.',
    scope: 'Namespaced',
  },
  {
    ...QUESTION,
    kind: 'SelfSubjectAccessReview',
    resource: 'selfsubjectaccessreviews',
    description: 'SelfSubjectAccessReview answers whether who asks may do something.',
  },
  {
    ...QUESTION,
    kind: 'SelfSubjectRulesReview',
    resource: 'selfsubjectrulesreviews',
    description: 'SelfSubjectRulesReview answers what who asks may do in a namespace.',
  },
  {
    ...QUESTION,
    kind: 'SubjectAccessReview',
    resource: 'subjectaccessreviews',
    description: 'SubjectAccessReview answers whether somebody may do something.',
  },
]);

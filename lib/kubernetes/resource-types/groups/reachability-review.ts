import type { ResourceDefinition } from '../define-resource-types.ts';
import { SPEC_AND_STATUS } from '../schema-fields.ts';

/** A review of whether one end may reach another. */
export const REACHABILITY_REVIEW: ResourceDefinition = {
  kind: 'ReachabilityReview',
  resource: 'reachabilityreviews',
  answersFrom: 'visible objects',
  description: 'ReachabilityReview shows whether NetworkPolicies allow a connection from one end to another.',
  verbs: ['create'],
  scope: 'Cluster',
  builtin: false,
  properties: SPEC_AND_STATUS,
};

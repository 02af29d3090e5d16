import { defineResourceTypes } from '../define-resource-types.ts';
import { SPEC_AND_STATUS, SPEC_ONLY } from '../schema-fields.ts';
import { ACCESS_GRANTS } from './access-grants.ts';
import { HISTORY } from './history.ts';
import { REACHABILITY_REVIEW } from './reachability-review.ts';
import { SELECTION_REVIEW } from './selection-review.ts';

/** winnow.dev/v1. The schemas of the fields are in lib/server/documents; reads and writes do not need them. */
export const winnow = defineResourceTypes('winnow.dev', 'v1', [
  {
    kind: 'AccessEntry',
    resource: 'accessentries',
    countsGeneration: true,
    decides: 'identities',
    description: 'AccessEntry gives an IAM user or role a username and groups.',
    scope: 'Cluster',
    builtin: false,
    properties: SPEC_ONLY,
  },
  ...ACCESS_GRANTS,
  {
    kind: 'Canary',
    resource: 'canaries',
    countsGeneration: true,
    description:
      'Canary is an object that a deployment labels every minute to test itself. It has no other effect.',
    builtin: false,
  },
  HISTORY,
  {
    kind: 'PlacementReview',
    resource: 'placementreviews',
    description: 'PlacementReview shows which nodes can run a pod, and why the other nodes cannot.',
    verbs: ['create'],
    scope: 'Cluster',
    builtin: false,
    properties: SPEC_AND_STATUS,
  },
  REACHABILITY_REVIEW,
  SELECTION_REVIEW,
  {
    kind: 'Subscription',
    resource: 'subscriptions',
    countsGeneration: true,
    carriesSelectors: 'always',
    description: 'Subscription sends the changes of the objects it selects to a queue.',
    shortNames: ['sub'],
    status: true,
    statusKeeps: 'metadata',
    builtin: false,
    // Its selector is validated with the rest of its spec, in lib/kubernetes/winnow.
    selectors: [],
    properties: SPEC_AND_STATUS,
  },
  {
    kind: 'Tally',
    resource: 'tallies',
    countsGeneration: true,
    carriesSelectors: 'always',
    description: 'Tally counts the objects that it selects, and shows whether their number is within bounds.',
    status: true,
    statusKeeps: 'metadata',
    builtin: false,
    // Its selector is validated with the rest of its spec, in lib/kubernetes/winnow.
    selectors: [],
    fields: ['status.phase'],
    properties: SPEC_AND_STATUS,
  },
]);

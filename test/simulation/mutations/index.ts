import { ACCESS_MUTATIONS } from './access-mutations.ts';
import { AUTHOR_MUTATIONS } from './author-mutations.ts';
import { CHUNK_MUTATIONS } from './chunk-mutations.ts';
import { CLAIM_MUTATIONS } from './claim-mutations.ts';
import { COUNTING_MUTATIONS } from './counting-mutations.ts';
import { DERIVING_MUTATIONS } from './deriving-mutations.ts';
import { EDIT_MUTATIONS } from './edit-mutations.ts';
import { GROUP_MUTATIONS } from './group-mutations.ts';
import { KIND_MUTATIONS } from './kind-mutations.ts';
import type { Mutation } from './mutation.ts';
import { ORDERING_MUTATIONS } from './ordering-mutations.ts';
import { OWNER_MUTATIONS } from './owner-mutations.ts';
import { PAST_MUTATIONS } from './past-mutations.ts';
import { PLACEMENT_MUTATIONS } from './placement-mutations.ts';
import { PROOF_MUTATIONS } from './proof-mutations.ts';
import { RULE_MUTATIONS } from './rule-mutations.ts';
import { SELECTION_MUTATIONS } from './selection-mutations.ts';
import { SERVING_MUTATIONS } from './serving-mutations.ts';
import { SIGHT_MUTATIONS } from './sight-mutations.ts';
import { STORE_MUTATIONS } from './store-mutations.ts';
import { TALLY_MUTATIONS } from './tally-mutations.ts';
import { TELLING_MUTATIONS } from './telling-mutations.ts';
import { TOLD_MUTATIONS } from './told-mutations.ts';
import { VERB_MUTATIONS } from './verb-mutations.ts';
import { WATCH_MUTATIONS } from './watch-mutations.ts';

export { editedFiles } from './mutated-copy.ts';
export { type Outcome, replay, search } from './mutated-run.ts';
export type { Mutation } from './mutation.ts';
export { recordedSeeds, recordSeeds } from './recorded-seeds.ts';

/** What `npm run simulate:mutations` takes out, one at a time. */
export const MUTATIONS: readonly Mutation[] = [
  ...STORE_MUTATIONS,
  ...WATCH_MUTATIONS,
  ...EDIT_MUTATIONS,
  ...TELLING_MUTATIONS,
  ...ORDERING_MUTATIONS,
  ...GROUP_MUTATIONS,
  ...TALLY_MUTATIONS,
  ...COUNTING_MUTATIONS,
  ...OWNER_MUTATIONS,
  ...KIND_MUTATIONS,
  ...CLAIM_MUTATIONS,
  ...SELECTION_MUTATIONS,
  ...PLACEMENT_MUTATIONS,
  ...DERIVING_MUTATIONS,
  ...SERVING_MUTATIONS,
  ...ACCESS_MUTATIONS,
  ...RULE_MUTATIONS,
  ...SIGHT_MUTATIONS,
  ...TOLD_MUTATIONS,
  ...AUTHOR_MUTATIONS,
  ...VERB_MUTATIONS,
  ...PROOF_MUTATIONS,
  ...PAST_MUTATIONS,
  ...CHUNK_MUTATIONS,
];

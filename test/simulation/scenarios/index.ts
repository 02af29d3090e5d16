import { ACCESS_SCENARIOS } from './access.ts';
import { CHUNK_SCENARIOS } from './chunks.ts';
import { CLAIM_SCENARIOS } from './claims.ts';
import { DERIVING_SCENARIOS, SERVING_SCENARIOS } from './deriving.ts';
import { DISPATCHER_SCENARIOS } from './dispatchers.ts';
import { GROUP_SCENARIOS } from './groups.ts';
import { KIND_SCENARIOS } from './kinds.ts';
import { NAMESPACE_SCENARIOS } from './namespaces.ts';
import { OWNER_SCENARIOS } from './owners.ts';
import { PAST_SCENARIOS } from './pasts.ts';
import { PLACEMENT_SCENARIOS } from './placements.ts';
import { PROOF_SCENARIOS } from './proofs.ts';
import { QUEUE_SCENARIOS } from './queues.ts';
import { READER_SCENARIOS } from './readers.ts';
import { RULE_SCENARIOS } from './rules.ts';
import type { Scenario } from './scenario.ts';
import { SELECTION_SCENARIOS } from './selections.ts';
import { TALLY_SCENARIOS } from './tallies.ts';

export type { Scenario } from './scenario.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...READER_SCENARIOS,
  ...QUEUE_SCENARIOS,
  ...DISPATCHER_SCENARIOS,
  ...NAMESPACE_SCENARIOS,
  ...GROUP_SCENARIOS,
  ...OWNER_SCENARIOS,
  ...KIND_SCENARIOS,
  ...CLAIM_SCENARIOS,
  ...SELECTION_SCENARIOS,
  ...DERIVING_SCENARIOS,
  ...PLACEMENT_SCENARIOS,
  ...TALLY_SCENARIOS,
  ...SERVING_SCENARIOS,
  ...ACCESS_SCENARIOS,
  ...RULE_SCENARIOS,
  ...PROOF_SCENARIOS,
  ...PAST_SCENARIOS,
  ...CHUNK_SCENARIOS,
];

/**
 * Returns the scenario of a name.
 * @throws if there is none
 */
export function scenarioNamed(name: string): Scenario {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined) {
    throw new Error(`no scenario ${name}: ${SCENARIOS.map((one) => one.name).join(', ')}`);
  }
  return scenario;
}

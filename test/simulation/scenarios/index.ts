import { KIND_SCENARIOS } from './kinds.ts';
import { OWNER_SCENARIOS } from './owners.ts';
import { QUEUE_SCENARIOS } from './queues.ts';
import { READER_SCENARIOS } from './readers.ts';
import type { Scenario } from './scenario.ts';

export type { Scenario } from './scenario.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...READER_SCENARIOS,
  ...QUEUE_SCENARIOS,
  ...OWNER_SCENARIOS,
  ...KIND_SCENARIOS,
];

/** @throws where there is none of this name. */
export function scenarioNamed(name: string): Scenario {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined) {
    throw new Error(`no scenario ${name}: ${SCENARIOS.map((one) => one.name).join(', ')}`);
  }
  return scenario;
}

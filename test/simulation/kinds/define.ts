import type { Scenario } from '../scenarios/scenario.ts';
import {
  anyDefinition,
  DEFINITIONS_URL,
  type Defined,
  definitionOf,
  nameOf,
  type Plural,
} from './definition.ts';
import type { Using } from './using.ts';

/** Everybody writes at the beginning of a round, in ms, so that they meet. */
const ROUND = 25_000;
const RETRY = 1_000;

/** Defines a kind, and in each round replaces it by another of its name: with another schema, maybe another scope. */
export async function define(using: Using, plural: Plural, scenario: Scenario): Promise<void> {
  const { ask, cluster } = using;
  const { chance, scheduler } = cluster.world;
  for (let round = 0; round < scenario.definitions; round += 1) {
    await scheduler.sleep(ROUND - (scheduler.now % ROUND) + chance.within(scenario.definePause));
    const url = `${DEFINITIONS_URL}/${nameOf(plural)}`;
    if (round > 0) await ask({ method: 'DELETE', url });
    const isLast = round + 1 === scenario.definitions && chance.chance(0.5);
    if (!isLast) await insist(using, plural, anyDefinition(chance, `${plural}.${round}`));
  }
}

/** Until there is a definition of the name, or the faults are over: the one before may be on its way out. */
async function insist({ ask, cluster }: Using, plural: Plural, defined: Defined): Promise<void> {
  const { scheduler } = cluster.world;
  const gaveUp = scheduler.now + ROUND;
  const body = definitionOf(plural, defined);
  while (scheduler.now < gaveUp) {
    const answer = await ask({ method: 'POST', url: DEFINITIONS_URL, body });
    if (answer?.status === 201) return;
    await scheduler.sleep(RETRY);
  }
}

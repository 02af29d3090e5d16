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

/** The length of a round in ms. All definers write at the start of a round, so that they meet. */
const ROUND = 25_000;
const RETRY = 1_000;

/**
 * Defines a kind, and in each round replaces it by another of its name, with another schema and perhaps another scope.
 */
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

/**
 * Repeats the create until the definition exists, or the round is over. The definition before it may still be in
 * deletion.
 */
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

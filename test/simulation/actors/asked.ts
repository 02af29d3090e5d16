import type { Asked } from '../history.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Chance } from '../world/chance.ts';

const LABELS = [
  ...['app=x', 'app=x', 'app in (x,y)', 'app!=x', 'canary', '!canary', 'app=x,tier=a'],
  ...['app=y,canary', 'tier notin (a)', 'tier,app notin (x)', 'app=z,!canary'],
];
const FIELDS = ['status.phase=Running', 'status.phase!=Running', 'metadata.name=p0'];

/** What a reader asks for: labels, fields, both, or everything. */
export function pickAsked(chance: Chance, scenario: Scenario): Asked {
  if (scenario.labelSelectors !== undefined) return { labelSelector: chance.pick(scenario.labelSelectors) };
  return {
    ...(chance.chance(0.3) ? { namespace: chance.pick(scenario.namespaces) } : {}),
    ...(chance.chance(0.75) ? { labelSelector: chance.pick(LABELS) } : {}),
    ...(chance.chance(0.2) ? { fieldSelector: chance.pick(FIELDS) } : {}),
  };
}

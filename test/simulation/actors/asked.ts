import type { Asked } from '../history.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Chance } from '../world/chance.ts';

const LABELS = [
  ...['app=x', 'app=x', 'app in (x,y)', 'app!=x', 'canary', '!canary', 'app=x,tier=a'],
  ...['app=y,canary', 'tier notin (a)', 'tier,app notin (x)', 'app=z,!canary'],
];
/** Selectors of a key that comes into use during the run. */
const BY_KEY = [
  ...['key', 'key', 'key=5', 'key in (1,9)', 'key>3', 'app=x,key', '!key,tier'],
  ...['key,canary', 'key,app!=x', 'key,!canary', 'key in (1,5),tier notin (a)'],
];
const FIELDS = ['status.phase=Running', 'status.phase!=Running', 'metadata.name=p0'];

/** Picks what a reader requests: labels, fields, both, or everything. */
export function pickAsked(chance: Chance, scenario: Scenario): Asked {
  if (scenario.labelKeys !== undefined && chance.chance(0.8)) {
    const form = chance.pick(BY_KEY);
    return { labelSelector: form.replace('key', `k${chance.below(scenario.labelKeys)}`) };
  }
  if (scenario.labelSelectors !== undefined) return { labelSelector: chance.pick(scenario.labelSelectors) };
  return {
    ...(chance.chance(0.3) ? { namespace: chance.pick(scenario.namespaces) } : {}),
    ...(chance.chance(0.75) ? { labelSelector: chance.pick(LABELS) } : {}),
    ...(chance.chance(0.2) ? { fieldSelector: chance.pick(FIELDS) } : {}),
  };
}

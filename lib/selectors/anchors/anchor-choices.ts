import type { Requirement } from '../requirement.ts';
import type { Selector } from '../selector.ts';
import { ALWAYS, type Anchor, keyAnchor, pairAnchor } from './anchor.ts';

/** An `in` of more values is found by its label's key: as many rows would have to be kept. */
const MOST_VALUES = 16;

/**
 * By which anchors a selector can be found. Each choice is complete: whatever the selector matches meets one of the
 * choice's anchors ({@link anchorsMet}). So any of them is right, and the one that the fewest others share is best.
 *
 * Only choices of the best sort that there is are told: one pair; else the pairs of the shortest `in`; else keys; else
 * what all objects meet. A selector that matches nothing is found by nothing.
 *
 *   app=web,tier in (a,b)     [['app=web']]
 *   app=web,env=prod          [['app=web'], ['env=prod']]
 *   tier in (a,b),app         [['tier=a', 'tier=b']]
 *   app,!canary               [['app']]
 *   !canary                   [['*']]
 */
export function anchorChoices(selector: Selector): readonly (readonly Anchor[])[] {
  const { requirements, isEmpty } = selector;
  if (requirements.length === 0) return isEmpty ? [[ALWAYS]] : [[]];
  const pairs = requirements.map(pairsOf).filter((anchors) => anchors.length > 0);
  const fewest = Math.min(...pairs.map(({ length }) => length));
  if (fewest === 1) return distinct(pairs.filter(({ length }) => length === 1));
  if (pairs.length > 0) return pairs.filter(({ length }) => length === fewest).slice(0, 1);
  const keys = distinct(requirements.filter(needsLabel).map(({ key }) => [keyAnchor(key)]));
  return keys.length > 0 ? keys : [[ALWAYS]];
}

/** None where the requirement does not ask for one of a few values. */
function pairsOf({ key, operator, values }: Requirement): readonly Anchor[] {
  const asksForValues = operator === '=' || operator === '==' || operator === 'in';
  if (!asksForValues || values.length > MOST_VALUES) return [];
  return values.map((value) => pairAnchor(key, value));
}

/** Whether what meets the requirement has the label. */
function needsLabel({ operator }: Requirement): boolean {
  return operator !== '!' && operator !== '!=' && operator !== 'notin';
}

/** Of choices of one anchor each, no two the same. */
function distinct(choices: readonly (readonly Anchor[])[]): readonly (readonly Anchor[])[] {
  return [...new Map(choices.map((choice) => [choice[0], choice])).values()];
}

import type { Requirement } from '../requirement.ts';
import type { Selector } from '../selector.ts';
import { ALWAYS, type Anchor, keyAnchor, pairAnchor } from './anchor.ts';

/**
 * The most values of an `in` that is indexed by its values. A longer `in` is indexed by its key, because each value
 * needs a row.
 */
const MOST_VALUES = 16;

/**
 * Returns the index terms under which a selector can be found. Each choice is complete: every object that the
 * selector matches has one of the choice's index terms ({@link anchorsMet}). Any choice is therefore correct; the one
 * that the fewest other selectors share is best.
 *
 * Returns only the best available kind of choice: single pairs; else the pairs of the shortest `in`; else keys; else
 * the index term that all objects have. A selector that matches nothing needs no index term.
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

/** The index terms of a requirement's values; empty where it does not require one of a few values. */
function pairsOf({ key, operator, values }: Requirement): readonly Anchor[] {
  const asksForValues = operator === '=' || operator === '==' || operator === 'in';
  if (!asksForValues || values.length > MOST_VALUES) return [];
  return values.map((value) => pairAnchor(key, value));
}

/** Whether only objects with the label meet the requirement. */
function needsLabel({ operator }: Requirement): boolean {
  return operator !== '!' && operator !== '!=' && operator !== 'notin';
}

/** The distinct choices among choices of one index term each. */
function distinct(choices: readonly (readonly Anchor[])[]): readonly (readonly Anchor[])[] {
  return [...new Map(choices.map((choice) => [choice[0], choice])).values()];
}

import { nothing, parseSelector, type Selector } from '../../../lib/selectors/index.ts';
import type { Dice } from './dice.ts';

// There are only a few keys and values, so that selectors often match labels.
const KEYS = ['app', 'env', 'tier', 'a/b', 'constructor', 'n'];
const VALUES = ['', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'];
const BOUNDS = ['0', '007', '12', '9223372036854775807', '9223372036854775806'];
const NUMBERS = [...BOUNDS, '-5', '+3', '1e3', '9223372036854775808'];

/** Returns random labels, sometimes more labels than can each have their own slot. */
export function randomLabels(dice: Dice): Map<string, string> {
  const count = dice.chance(0.05) ? 40 : dice.below(7);
  return new Map(
    Array.from({ length: count }, (_, at) => {
      const key = dice.pick([...KEYS, '__proto__', `other-${at}`]);
      return [key, dice.pick(key === 'n' ? NUMBERS : [...VALUES, `v${dice.below(100)}`])] as const;
    }),
  );
}

export function randomSelector(dice: Dice): Selector {
  const terms = Array.from({ length: dice.below(6) }, () => {
    const key = dice.pick(KEYS);
    const values = Array.from({ length: 1 + dice.below(20) }, () => dice.pick(VALUES));
    const list = [...new Set(values)].join();
    const bound = dice.pick(BOUNDS);
    return dice.pick([
      `${key}=${dice.pick(VALUES)}`,
      `${key}!=${dice.pick(VALUES)}`,
      `${key} in (${list})`,
      `${key} notin (${list})`,
      key,
      `!${key}`,
      `n>${bound}`,
      `n<${bound}`,
    ]);
  });
  return dice.chance(0.02) ? nothing : parseSelector(terms.join());
}

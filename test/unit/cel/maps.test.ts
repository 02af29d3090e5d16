import { expect, test } from '@jest/globals';
import { checkNew } from '../../../lib/cel/definitions.ts';
import { CelError, compile, environmentOf, Meter } from '../../../lib/cel/index.ts';
import { show } from '../../cel/oracle/show.ts';

/** Patterns do not occur in these expressions. */
const regexes = () => ({ error: 'no pattern' });

test.each([
  ["b'a' in {}", 'false'],
  ["b'a' in {}.transformMap(k, v, v)", 'false'],
  ["dyn(b'a') in dyn({'a': 1})", 'an error'],
  ["[1].transformMapEntry(i, v, {dyn(b'a'): v}).size() == 1", 'an error'],
])('bytes are no keys, but an empty map can be asked for them, as in cel-go: %s', (text, expected) => {
  const environment = environmentOf('stored');
  const program = compile(checkNew(text, environment, regexes), { ...environment, regexes });
  const value = program.evaluate(() => undefined, new Meter({ cost: 1_000_000 }));
  expect(value instanceof CelError ? 'an error' : show(value)).toBe(expected);
});

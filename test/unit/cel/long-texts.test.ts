import { expect, test } from '@jest/globals';
import { checkNew } from '../../../lib/cel/definitions.ts';
import { CelError, compile, environmentOf, Meter, types } from '../../../lib/cel/index.ts';
import { LIBRARIES } from '../../../lib/cel/libraries/index.ts';
import { loadPatterns } from '../../../lib/kubernetes/schemas/patterns.ts';
import { show } from '../../cel/oracle/show.ts';

const LENGTH = 400_000;

test.each([
  ['double(text)', `-${'9'.repeat(LENGTH)}K`, 'an error'],
  ['int(text)', '9'.repeat(LENGTH), 'an error'],
  ['quantity(text).isInteger()', '9'.repeat(LENGTH), 'an error'],
  ['duration(text)', `${'1'.repeat(LENGTH)}`, 'an error'],
  ['text.trim().size()', `x${' '.repeat(LENGTH)}x`, String(LENGTH + 2)],
  ['url(text).getQuery().a.size()', `/?${'a=&'.repeat(LENGTH / 4)}`, String(LENGTH / 4)],
  ['url(text).getPort()', `http://${':'.repeat(LENGTH)}x`, 'an error'],
  ['isIP(text)', '::'.repeat(LENGTH), 'false'],
  ['isSemver(text, true)', `${'0'.repeat(LENGTH)}.1`, 'true'],
  ['format.dns1123Subdomain().validate(text).hasValue()', 'a.'.repeat(LENGTH / 8), 'true'],
  ['timestamp(0).getHours(text)', 'A'.repeat(LENGTH), 'an error'],
])('a hostile text is read in linear time: %s', async (expression, text, expected) => {
  const patterns = await loadPatterns();
  const regexes = (pattern: string) => patterns.regexOf(pattern);
  const variables = new Map([['text', { name: 'text', type: types.STRING }]]);
  const environment = { ...environmentOf('stored', LIBRARIES), variables };
  const program = compile(checkNew(expression, environment, regexes), { ...environment, regexes });
  const value = program.evaluate(() => text, new Meter({ cost: 1_000_000 }));
  expect(value instanceof CelError ? 'an error' : show(value)).toBe(expected);
});

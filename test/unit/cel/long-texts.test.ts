import { expect, test } from '@jest/globals';
import { checkNew } from '../../../lib/cel/definitions.ts';
import { CelError, compile, environmentOf, Meter, types, type Value } from '../../../lib/cel/index.ts';
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
  const value = await evaluated(expression, text);
  expect(value instanceof CelError ? 'an error' : show(value)).toBe(expected);
});

test.each([
  ['abc', -1, '-a-b-c-'],
  ['abc', 0, 'abc'],
  ['abc', 2, '-a-bc'],
  ['abc', 3, '-a-b-c'],
  ['abc', 4, '-a-b-c-'],
  ['abc', 9, '-a-b-c-'],
  ['', -1, '-'],
  ['é😀x', 2, '-é-😀x'],
  ['é😀'.repeat(5_000), -1, `-${'é-😀-'.repeat(5_000)}`],
  ['ab'.repeat(4_096), 4_097, `${'-a-b'.repeat(2_048)}-a${`b${'ab'.repeat(2_047)}`}`],
])(
  'the empty text is replaced before each character and at the end, as often as the limit allows: case %#',
  async (text, limit, expected) => {
    expect(await evaluated(`text.replace("", "-", ${limit})`, text)).toBe(expected);
  },
);

async function evaluated(expression: string, text: string): Promise<Value> {
  const patterns = await loadPatterns();
  const regexes = (pattern: string) => patterns.regexOf(pattern);
  const variables = new Map([['text', { name: 'text', type: types.STRING }]]);
  const environment = { ...environmentOf('stored', LIBRARIES), variables };
  const program = compile(checkNew(expression, environment, regexes), { ...environment, regexes });
  return program.evaluate(() => text, new Meter({ cost: 1_000_000 }));
}

import { expect, it } from '@jest/globals';
import { explainSchema } from '../../../cli/upgrade/explain-schema.ts';

const NOW = Date.UTC(2026, 0, 1);
const known = { oldest: 1, newest: 2 };

it.each([
  [1, 0, 'in version 1 of their schema.', 'This Winnow knows version 2. With --raise'],
  [2, NOW - 1, 'in version 2 of their schema.', 'there is nothing to raise'],
  [
    2,
    NOW + 1,
    'in version 1 of their schema, and in version 2 from 2026-01-01T00:00:00.001Z on.',
    'does not know version 2',
  ],
  [3, NOW - 1, 'in version 3 of their schema.', 'knows none above 2, and does nothing'],
])('says of version %d, from %d on, what is written and what can be done', (version, from, what, advice) => {
  const [first, second] = explainSchema({ version, from }, { known, now: NOW });
  expect(first).toContain(what);
  expect(second).toContain(advice);
});

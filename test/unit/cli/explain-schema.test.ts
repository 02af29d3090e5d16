import { expect, it } from '@jest/globals';
import { explainSchema } from '../../../cli/upgrade/explain-schema.ts';

const NOW = Date.UTC(2026, 0, 1);
const known = { oldest: 1, newest: 2 };

it.each([
  [1, 0, 'row schema version 1.', 'This release supports version 2. Raise it with --raise'],
  [2, NOW - 1, 'row schema version 2.', 'there is nothing to raise'],
  [
    2,
    NOW + 1,
    'row schema version 1, and version 2 from 2026-01-01T00:00:00.001Z on.',
    'that do not support version 2 now refuse',
  ],
  [3, NOW - 1, 'row schema version 3.', 'supports versions up to 2, and refuses'],
])(
  'The explanation of version %d, with minimum %d, names the written version and the possible actions',
  (version, from, what, advice) => {
    const [first, second] = explainSchema({ version, from }, { known, now: NOW });
    expect(first).toContain(what);
    expect(second).toContain(advice);
  },
);

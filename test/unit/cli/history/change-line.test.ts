import { expect, it } from '@jest/globals';
import { changedFields, changeLine } from '../../../../cli/history/change-line.ts';
import type { HistoryItem } from '../../../../cli/history/read-history.ts';

const CHANGE: HistoryItem = {
  resourceVersion: '7',
  time: '2026-01-02T15:04:05.678Z',
  type: 'Updated',
  user: 'jane',
  manager: 'kubectl-label',
  object: { name: 'web-1', namespace: 'shop' },
  patch: [{ op: 'remove', path: '/metadata/labels/tier' }],
};

it('a change is one line: time, resourceVersion, type, object, user and field manager, and changed fields', () => {
  expect(changeLine(CHANGE)).toBe(
    '2026-01-02T15:04:05Z  7  Updated  shop/web-1  jane (kubectl-label)  -labels.tier',
  );
});

it('a change by Winnow itself names Winnow, and a cause stands in quotation marks at the end', () => {
  const { user: _user, manager: _manager, ...own } = CHANGE;
  const change: HistoryItem = {
    ...own,
    type: 'Deleted',
    object: { name: 'a' },
    patch: [],
    cause: 'ticket 7',
  };
  expect(changeLine(change)).toBe('2026-01-02T15:04:05Z  7  Deleted  a  Winnow  "ticket 7"');
});

it('changed fields are spelled as field paths, with their new values', () => {
  const fields = changedFields([
    { op: 'replace', path: '/spec/containers/0/image', value: 'nginx:2' },
    { op: 'add', path: '/metadata/annotations/example.com~1why', value: 'because' },
    { op: 'replace', path: '/spec/replicas', value: 3 },
  ]);
  expect(fields).toBe(
    '~spec.containers[0].image=nginx:2, +annotations.example.com/why=because, ~spec.replicas=3',
  );
});

it('labels that are added all at once are named one by one', () => {
  const value = { app: 'web', tier: 'front' };
  expect(changedFields([{ op: 'add', path: '/metadata/labels', value }])).toBe(
    '+labels.app=web, +labels.tier=front',
  );
});

it('a line names three fields at most, shortens long values, and leaves out the generation', () => {
  const many = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ op: 'add', path: `/data/${key}`, value: 'v' }));
  const generation = { op: 'replace', path: '/metadata/generation', value: 2 };
  expect(changedFields([generation, ...many])).toBe('+data.a=v, +data.b=v, +data.c=v, and 2 more');
  const long = changedFields([{ op: 'add', path: '/data/a', value: 'x\n'.repeat(100) }]);
  expect(long).toBe(`+data.a=${'x '.repeat(20)}…`);
});

it('a value forges neither lines nor colors of the terminal', () => {
  const cause = 'a\n2026-01-02T15:04:05Z  8  Deleted\u001b[31m';
  const line = changeLine({
    ...CHANGE,
    cause,
    patch: [{ op: 'add', path: '/data/a', value: 'x\u001b]0;y\u0007' }],
  });
  expect(line).not.toMatch(/\p{Cc}/u);
  expect(line).toContain('"a 2026-01-02T15:04:05Z 8 Deleted [31m"');
});

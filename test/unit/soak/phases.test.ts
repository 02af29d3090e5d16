import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { Snapshot, WatchedEvent } from '../../simulation/history.ts';
import { Budget, reached } from '../../soak/phases/budget.ts';
import { compareQuarters } from '../../soak/phases/flat-memory.ts';
import { isRefusal } from '../../soak/phases/full-disk.ts';
import { Findings } from '../../soak/phases/phase.ts';
import { checkToldOnce } from '../../soak/phases/told-once.ts';
import { wrongTallies } from '../../soak/phases/wrong-tallies.ts';

type Change = 'ADDED' | 'DELETED';

const object = (name: string, labels = {}): Snapshot => ({
  object: `default/${name}`,
  uid: name,
  rv: 1,
  labels,
  phase: '',
  token: name,
});
const event = (type: Change, name: string): WatchedEvent => ({ at: 0, type, object: object(name) });
const whole = ['a', 'b'].flatMap((name) => [event('ADDED', name), event('DELETED', name)]);

function found(events: readonly WatchedEvent[]): string[] {
  const findings = new Findings('test');
  checkToldOnce(findings, { reader: 'the reader', events, names: ['a', 'b'] });
  return findings.violations.map(({ message }) => message);
}

describe('A reader of objects that are all deleted', () => {
  it('The reader is right if it received each deletion once', () => {
    expect(found([...whole, event('ADDED', 'spared')])).toEqual([]);
  });

  it.each([
    ['lost', whole.slice(0, -1), 'the reader was not told DELETED of 1 objects'],
    ['doubled', [...whole, event('DELETED', 'b')], 'the reader was told DELETED of 1 objects more than once'],
    [
      'made up',
      [...whole, event('DELETED', 'spared')],
      'the reader was told that an object was deleted that is there',
    ],
    [
      'a new beginning',
      [...whole, { at: 0, type: 'ERROR', reason: 'gone' }],
      'the reader was told to begin anew',
    ],
  ] as const)('The reader is wrong with an event that is %s', (_, events, message) => {
    expect(found(events)).toEqual([message]);
  });
});

describe('The memory of a process', () => {
  it('The memory is flat if it rises only while the process warms up', () => {
    expect(compareQuarters([10, 50, 100, 100, 100, 100, 110, 120]).isFlat).toBe(true);
  });

  it('The memory is not flat if it keeps rising', () => {
    const rising = Array.from({ length: 100 }, (_, at) => 100 + at);
    expect(compareQuarters(rising)).toEqual({ second: 137, last: 187, isFlat: false });
  });
});

describe('The Tally of a crowd', () => {
  const items = [object('x', { cell: '1', zone: 'z1' }), object('y', { cell: '2', zone: 'z2' })];
  const tally = (spec: JsonObject, status: JsonObject): JsonObject => ({
    metadata: { namespace: 'default', name: 't' },
    spec,
    status: { phase: 'Within', ...status },
  });
  const groups = (...zones: readonly string[]) => zones.map((zone) => ({ count: 1, labels: { zone } }));
  const wide = { labelSelector: 'cell', groupBy: ['zone'] };

  it('The Tally is right if it has the counts of a naive count', () => {
    const right = [
      tally({ labelSelector: 'cell=1' }, { count: 1 }),
      tally({ labelSelector: 'cell=3' }, { count: 0 }),
      tally(wide, { count: 2, groups: groups('z1', 'z2') }),
    ];
    expect(wrongTallies(right, items)).toEqual([]);
  });

  it.each([
    ['another count', tally({ labelSelector: 'cell=1' }, { count: 2 })],
    ['no count yet', tally({ labelSelector: 'cell=1' }, { count: 1, phase: 'Counting' })],
    ['another group', tally(wide, { count: 2, groups: groups('z1', 'z3') })],
    ['a group too few', tally(wide, { count: 2, groups: groups('z1') })],
  ])('The Tally is wrong if it has %s', (_, wrong) => {
    expect(wrongTallies([wrong], items)).toHaveLength(1);
  });
});

describe('A write on a full disk', () => {
  const status = (code: number, message: string) => ({
    status: code,
    body: { kind: 'Status', code, message },
  });
  const full = 'nothing was written: the disk of the local database is full; free some space';

  it('The write is refused correctly if the answer names the disk, or timed out', () => {
    expect(isRefusal(status(503, full))).toBe(true);
    expect(isRefusal(status(504, 'request did not complete within the allotted timeout'))).toBe(true);
  });

  it.each([
    ['asks the client to try again', status(429, 'the table throttled the request')],
    ['says nothing of the disk', status(503, 'the server ended before it answered')],
    ['is an error that nobody foresaw', status(500, 'Internal error occurred')],
    ['is no Status', { status: 503, body: { message: full } }],
  ])('The write is wrong with an answer that %s', (_, answer) => {
    expect(isRefusal(answer)).toBe(false);
  });
});

describe('The work of a phase for a part of its time', () => {
  it('The work is complete, or as much as the time allowed', () => {
    expect(reached(2_000, 2_000)).toBe('2,000');
    expect(reached(1_400, 2_000)).toBe('1,400 (of 2,000: the time was over)');
  });

  it('The work ends with its time', () => {
    expect(new Budget(0).isSpent).toBe(true);
    expect(new Budget(3_600).isSpent).toBe(false);
  });
});

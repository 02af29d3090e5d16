import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const MERGE = 'application/merge-patch+json';
const HOUR = 3_600_000;

let api: MemoryApi;

/** Midnight: m and n are web. One o'clock: m is db, and o is new. Two o'clock: m is deleted. Then it is three. */
beforeEach(async () => {
  api = await createMemoryApi();
  await make('m', 'web');
  await make('n', 'web');
  api.memory.clock.advance(HOUR);
  await api.ask('PATCH', `${MAPS}/m`, { metadata: { labels: { app: 'db' } } }, MERGE);
  await make('o', 'web');
  api.memory.clock.advance(HOUR);
  await api.ask('DELETE', `${MAPS}/m`);
  api.memory.clock.advance(HOUR);
});

const make = (name: string, app: string) => api.ask('POST', MAPS, { metadata: { name, labels: { app } } });
const at = (text: string, more = '') => api.ask('GET', `${MAPS}?at=${encodeURIComponent(text)}${more}`);
const namesOf = ({ items }: JsonObject) =>
  (items as JsonObject[]).map(({ metadata }) => (metadata as JsonObject).name);
const versionOf = ({ metadata }: JsonObject) => (metadata as JsonObject).resourceVersion;

describe('LIST at a time', () => {
  it.each([
    ['2026-01-01T00:30:00Z', ['m', 'n'], '3'],
    ['2026-01-01T02:30:00+01:00', ['m', 'n', 'o'], '5'],
    ['2h30m', ['m', 'n'], '3'],
    ['90m', ['m', 'n', 'o'], '5'],
    ['0s', ['n', 'o'], '6'],
    ['2027-01-01T00:00:00Z', ['n', 'o'], '6'],
  ])(
    'the list at %s has the objects of that time, and their exact resourceVersion',
    async (text, names, version) => {
      const list = await at(text);
      expect([namesOf(list), versionOf(list)]).toEqual([names, version]);
      const exact = await api.ask('GET', `${MAPS}?resourceVersion=${version}&resourceVersionMatch=Exact`);
      expect(list).toEqual(exact);
    },
  );

  it('a selector, a limit and an order apply to the objects of that time', async () => {
    expect(namesOf(await at('2h30m', '&labelSelector=app%3Dweb'))).toEqual(['m', 'n']);
    expect(namesOf(await at('90m', '&labelSelector=app%3Dweb'))).toEqual(['n', 'o']);
    expect(namesOf(await at('90m', '&sortBy=app'))).toEqual(['m', 'n', 'o']);
    const page = await at('90m', '&limit=2');
    expect(namesOf(page)).toEqual(['m', 'n']);
    const { continue: token } = page.metadata as JsonObject;
    const last = await api.ask('GET', `${MAPS}?limit=2&continue=${token}`);
    expect([namesOf(last), versionOf(last)]).toEqual([['o'], '5']);
  });

  it('facets count the labels of that time', async () => {
    const facets = await at('90m', '&facets=app');
    expect(facets).toMatchObject({
      count: 3,
      metadata: { resourceVersion: '5' },
      facets: [
        {
          key: 'app',
          distinct: 2,
          absent: 0,
          values: [
            { value: 'web', count: 2 },
            { value: 'db', count: 1 },
          ],
        },
      ],
    });
  });

  it.each([
    ['at=soon', '400 at: invalid time "soon"'],
    ['at=-1h', '400 at: invalid time "-1h"'],
    ['at=1h&resourceVersion=3', '400 at is not allowed with resourceVersion: name one state'],
    ['at=1h&continue=abc', '400 at is not allowed with continue'],
    ['at=1h&watch=true', '400 at is not allowed with watch'],
    ['at=1h&facets=app&explain=true', '400 explain is not allowed with facets and at'],
  ])('the request with %s is refused', async (query, why) => {
    const { status, body } = await api.send('GET', `${MAPS}?${query}`);
    expect(`${status} ${body.message}`).toMatch(new RegExp(`^${why}`));
  });

  it('a deletion at a past time is refused', async () => {
    const { status, body } = await api.send('DELETE', `${MAPS}?at=1h`);
    expect([status, body.message]).toEqual([
      400,
      'at is not allowed with DELETE: only objects of the latest state can be deleted',
    ]);
    expect(namesOf(await api.ask('GET', MAPS))).toEqual(['n', 'o']);
  });

  it('a time before the journal is answered with 410', async () => {
    await api.memory.world.store.raise('core/configmaps', 'settled', 6);
    await api.memory.world.store.raise('core/configmaps', 'compacted', 5);
    const { status, body } = await api.send('GET', `${MAPS}?at=2h30m`);
    expect([status, body.reason]).toEqual([410, 'Expired']);
    expect(namesOf(await at('0s'))).toEqual(['n', 'o']);
  });
});

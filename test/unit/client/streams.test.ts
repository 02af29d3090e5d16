import { describe, expect, it } from '@jest/globals';
import { createMemoryStore } from '../../../lib/client/index.ts';
import { openSqliteStore } from '../../../lib/client/sqlite/index.ts';
import { follow, streams } from '../../support/client/streams.ts';

describe.each([
  { kind: 'in memory', open: createMemoryStore },
  { kind: 'in SQLite', open: () => openSqliteStore(':memory:') },
])('A replica $kind', ({ open }) => {
  it.each(streams)('A replica ends with the expected set: $title', async (stream) => {
    const { told, set, synced, failed = [] } = stream;
    expect(await follow(stream, open())).toEqual({ told, set, synced, failed });
  });
});

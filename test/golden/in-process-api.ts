import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type ApiRequest, createApi, readingVerbs, writingVerbs } from '../../lib/api/index.ts';
import { silentLogger } from '../../lib/platform/index.ts';
import { createStore } from '../../lib/store/index.ts';
import { createWatches } from '../../lib/watch/index.ts';
import { OwnedClock } from '../support/clocks/owned-clock.ts';
import { createMemoryTable } from '../support/store/memory-table.ts';
import { seeded } from '../support/watch/memory-world.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The whole API over a table in memory; nothing of dispatch or reconcile runs beside it. */
export function createInProcessApi(): (request: ApiRequest) => Promise<Answered> {
  const clock = new OwnedClock();
  const outside = { clock, random: seeded(1), logger: silentLogger };
  const store = createStore({ ...outside, table: createMemoryTable() });
  const api = createApi({
    ...outside,
    store,
    verbs: { ...readingVerbs, ...writingVerbs },
    watches: createWatches({ ...outside, store }),
    announce: async () => {},
  });
  return (request) => clock.during(answer(request));

  async function answer(request: ApiRequest): Promise<Answered> {
    const { status, headers, body } = await api.handle(request, new AbortController().signal);
    if (typeof body === 'string') return { status, headers, text: body };
    if (!(body instanceof Uint8Array)) return { status, headers, text: await text(body) };
    return { status, headers, text: gunzipSync(body).toString() };
  }
}

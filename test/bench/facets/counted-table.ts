import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../../lib/json/index.ts';
import { type Clock, silentLogger, systemClock, systemRandom } from '../../../lib/platform/index.ts';
import { type Api, createApi, readingVerbs } from '../../../lib/server/index.ts';
import { createWatches, measuredTable, noReadCost, type Table } from '../../../lib/store/index.ts';
import { ADMIN } from '../../support/service/admin.ts';
import { openStore } from '../../support/store/store-fixture.ts';
import { DifferenceError } from '../compare.ts';
import { median, round } from '../report.ts';

/** What is counted of which objects. */
export const ASKED = { labelSelector: 'left=yes', keys: ['app', 'right'] } as const;
const PATH = '/api/v1/pods';
/** Objects in a page, as kubectl and client-go ask for them. */
const PAGE = 500;
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** Who counts: the facets of a request, or the client of a LIST of the objects, or of their metadata alone. */
export const WAYS = {
  facets: facetsOf,
  objects: (api: Api) => countedList(api, 'application/json'),
  metadata: (api: Api) => countedList(api, METADATA),
};
export type Way = keyof typeof WAYS;

interface CountedTableOptions {
  readonly table: Table;
  readonly objects: number;
  /** What time it is for the requests, in ms since the epoch. */
  readonly now: number;
  stop(): Promise<void>;
}

/** A table whose objects are counted in one way after the other. */
export class CountedTable {
  readonly #options: CountedTableOptions;
  readonly #times = new Map<Way, number[]>();

  constructor(options: CountedTableOptions) {
    this.#options = options;
  }

  get objects(): number {
    return this.#options.objects;
  }

  /** Milliseconds that the counts of a way took. */
  spent(way: Way): number {
    return (this.#times.get(way) ?? []).reduce((sum, time) => sum + time, 0);
  }

  /** In a process that has asked nothing before. */
  async count(way: Way): Promise<void> {
    const api = this.#api(this.#options.table);
    const began = performance.now();
    await WAYS[way](api);
    this.#times.set(way, [...(this.#times.get(way) ?? []), performance.now() - began]);
  }

  /** What each way takes, beside the facets. @throws DifferenceError they do not count the same */
  async figures() {
    const told = await this.#measured('facets');
    const figures = [];
    for (const way of Object.keys(WAYS) as Way[]) {
      const measured = way === 'facets' ? told : await this.#measured(way);
      if (measured.counts !== told.counts) {
        throw new DifferenceError(`${this.objects} objects: ${way} counts ${measured.counts}`);
      }
      const times = this.#times.get(way) ?? [];
      const { requests, units, bytes } = measured;
      figures.push({
        of: this.objects,
        way,
        requests,
        units,
        bytes,
        p50: round(median(times)),
        counts: times.length,
        timesFacets: round(median(times) / median(this.#times.get('facets') ?? [])),
        unitsOfFacets: round(units / told.units),
      });
    }
    return figures;
  }

  stop(): Promise<void> {
    return this.#options.stop();
  }

  async #measured(way: Way) {
    const used = noReadCost();
    const { counts, bytes } = await WAYS[way](this.#api(measuredTable(this.#options.table, used)));
    return { counts, bytes, requests: used.requests, units: used.units };
  }

  #api(table: Table): Api {
    const clock: Clock = { ...systemClock, now: () => this.#options.now };
    const store = openStore(table, clock);
    const outside = { clock, random: systemRandom, logger: silentLogger, store };
    return createApi({
      ...outside,
      verbs: readingVerbs,
      watches: createWatches(outside),
      announce: async () => {},
    });
  }
}

/** By label key and value, as text that is the same for the same counts. */
type Counts = Map<string, Map<string, number>>;

interface Counted {
  readonly counts: string;
  /** Of the answers, before they are compressed. */
  readonly bytes: number;
}

async function facetsOf(api: Api): Promise<Counted> {
  const { labelSelector, keys } = ASKED;
  const { body, bytes } = await get(api, { labelSelector, facets: keys.join() });
  const { facets } = body as { facets: { key: string; values: { value: string; count: number }[] }[] };
  const counts: Counts = new Map(
    facets.map(({ key, values }) => [key, new Map(values.map(({ value, count }) => [value, count]))]),
  );
  return { counts: printed(counts), bytes };
}

async function countedList(api: Api, accept: string): Promise<Counted> {
  const counts: Counts = new Map(ASKED.keys.map((key) => [key, new Map()]));
  let bytes = 0;
  let next = '';
  do {
    const asked = {
      labelSelector: ASKED.labelSelector,
      limit: String(PAGE),
      ...(next && { continue: next }),
    };
    const page = await get(api, asked, accept);
    const { items, metadata } = page.body as unknown as ListAnswer;
    for (const { metadata: one } of items) {
      for (const [key, values] of counts) {
        const value = one.labels?.[key];
        if (value !== undefined) values.set(value, (values.get(value) ?? 0) + 1);
      }
    }
    bytes += page.bytes;
    next = metadata.continue ?? '';
  } while (next !== '');
  return { counts: printed(counts), bytes };
}

interface ListAnswer {
  readonly items: readonly { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }[];
  readonly metadata: { readonly continue?: string };
}

async function get(api: Api, query: Readonly<Record<string, string>>, accept = 'application/json') {
  const request = {
    method: 'GET',
    path: PATH,
    query: new URLSearchParams(query),
    headers: { accept },
    user: ADMIN,
  };
  const { status, body } = await api.handle(request, new AbortController().signal);
  const said =
    typeof body === 'string'
      ? body
      : body instanceof Uint8Array
        ? gunzipSync(body).toString()
        : await text(body);
  if (status !== 200) throw new Error(`${PATH}?${request.query}: ${status} ${said}`);
  return { body: JSON.parse(said) as JsonObject, bytes: Buffer.byteLength(said) };
}

function printed(counts: Counts): string {
  return JSON.stringify([...counts].map(([key, values]) => [key, [...values].sort()]).sort());
}

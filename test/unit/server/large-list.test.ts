import { text as textOf } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type ApiOptions, type ApiResponse, createApi, readingVerbs } from '../../../lib/server/index.ts';
import type { ListRequest, Store } from '../../../lib/store/index.ts';
import { ADMIN } from '../../support/service/admin.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';
import { createStrictLogger, openStore, put, remove } from '../../support/store/store-fixture.ts';
import { clock, countingRandom } from './fixtures.ts';

const PODS = '/api/v1/namespaces/default/pods';
const NAMES = ['a', 'b', 'c', 'd', 'e'];
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

let real: Store;
let asked: ListRequest[];
let logger: ReturnType<typeof createStrictLogger>;
let beforeList: () => void;

beforeEach(async () => {
  real = openStore(createMemoryTable());
  asked = [];
  logger = createStrictLogger();
  beforeList = () => undefined;
  for (const name of NAMES) await put(real, 'core/pods', name, { spec: { text: `"${name}\n[]"` } });
});

/** A store with room for one object at a time, unless the test gives it more. */
function smallStore(mostHeap = 1): Store {
  const store: Store = {
    ...real,
    within: () => store,
    list: (collection, request) => {
      beforeList();
      asked.push(request);
      return real.list(collection, { ...request, mostHeap });
    },
  };
  return store;
}

interface Asked {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: Partial<ApiOptions>;
}

function list({ query = '', headers = {}, options = {} }: Asked = {}): Promise<ApiResponse> {
  const api = createApi({
    verbs: readingVerbs,
    store: smallStore(),
    watches: { open: async () => (async function* () {})() },
    clock,
    random: countingRandom(),
    logger,
    announce: async () => undefined,
    ...options,
  });
  const request = { method: 'GET', path: PODS, query: new URLSearchParams(query), headers, user: ADMIN };
  return api.handle(request, new AbortController().signal);
}

async function bytesOf({ body }: ApiResponse): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) {
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

const whole = (asked: Asked) => list({ ...asked, options: { store: smallStore(Number.POSITIVE_INFINITY) } });
const namesIn = (bytes: Buffer) =>
  JSON.parse(bytes.toString()).items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);

describe('A list without a limit that exceeds the memory', () => {
  it.each([
    ['as it is', {}],
    ['indented', { query: 'pretty=true' }],
    ['a Table', { headers: { accept: TABLE } }],
    ['a Table of objects, indented', { query: 'includeObject=Object&pretty=1', headers: { accept: TABLE } }],
    [
      'metadata alone',
      { headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' } },
    ],
  ])('The list has the same text as one that fits into memory: %s', async (_, request) => {
    const response = await list(request);
    expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect((await bytesOf(response)).toString()).toBe((await bytesOf(await whole(request))).toString());
    expect(typeof response.body).toBe('object');
  });

  it('The list is one snapshot, whatever changes while it is written', async () => {
    const { body } = await whole({});
    const before = JSON.parse(String(body));
    let pages = 0;
    const changing = async () => {
      pages += 1;
      if (pages === 2) await remove(real, 'core/pods', 'd');
      if (pages === 3) await put(real, 'core/pods', 'e', { spec: { text: 'later' } });
      if (pages === 4) await put(real, 'core/pods', 'f');
    };
    const store = smallStore();
    const slow: Store = {
      ...store,
      within: () => slow,
      list: async (collection, request) => {
        await changing();
        return store.list(collection, request);
      },
    };
    const response = await list({ options: { store: slow } });
    expect(JSON.parse((await bytesOf(response)).toString())).toEqual(before);
    expect(pages).toBeGreaterThanOrEqual(NAMES.length);
  });

  it('The list is compressed while it is written, if the client accepts gzip', async () => {
    const response = await list({ headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(namesIn(gunzipSync(await bytesOf(response)))).toEqual(NAMES);
  });

  it.each(['identity', 'gzip'])(
    'The list breaks off at a failure, and never looks like a shorter list: %s',
    async (encoding) => {
      beforeList = () => {
        if (asked.length === 3) throw new Error('no more');
      };
      const errors: unknown[] = [];
      const failing = { ...logger, error: (...error: unknown[]) => errors.push(error) };
      const headers = { 'accept-encoding': encoding };
      const { status, body } = await list({ headers, options: { logger: failing } });
      expect(status).toBe(200);
      await expect(textOf(body as AsyncIterable<string>)).rejects.toThrow('no more');
      expect(logger.warnings).toEqual(['a list ended early']);
      expect(errors).toHaveLength(1);
    },
  );

  it('The list is refused before anything is written, if the first page fails', async () => {
    beforeList = () => {
      throw new Error('nothing');
    };
    const { status } = await list({ options: { logger: { ...logger, error: () => undefined } } });
    expect(status).toBe(500);
  });

  it.each([
    ['where answers are buffered', '', { maximumBytes: 6_000_000 }],
    ['beside its plan', 'explain=header', {}],
  ])('The list is answered with 413 and a hint to use limit %s', async (_, query, options) => {
    const { status, body } = await list({ query, options });
    expect(status).toBe(413);
    const { mostHeap } = asked[0] ?? {};
    expect(JSON.parse(String(body)).message).toMatch(new RegExp(`${mostHeap} bytes.* limit and continue`));
  });

  it('The list is a page if there is a limit', async () => {
    const page = JSON.parse(String((await list({ query: 'limit=500' })).body));
    expect(page.items).toHaveLength(1);
    expect(page.metadata.continue).toEqual(expect.any(String));
  });
});

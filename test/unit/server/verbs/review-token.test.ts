import { beforeEach, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf } from '../../../../lib/json/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { createApi, issuingVerbs, type TokenIssuer } from '../../../../lib/server/index.ts';
import { podSpec } from '../../../support/pod-spec.ts';
import { ADMIN } from '../../../support/service/admin.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';
import { seeded } from '../../../support/watch/memory-world.ts';

type Verdict = Awaited<ReturnType<TokenIssuer['review']>>;

const NAMESPACE = '/api/v1/namespaces/default';

let api: MemoryApi;
let uids: Readonly<Record<'serviceaccounts' | 'pods' | 'secrets', string>>;

beforeEach(async () => {
  api = await createMemoryApi();
  const made = (resource: string, more: object) => make(resource, { metadata: { name: 'robot' }, ...more });
  uids = {
    serviceaccounts: await made('serviceaccounts', {}),
    pods: await made('pods', { spec: podSpec() }),
    secrets: await made('secrets', {}),
  };
});

/** The uid of the account. */
async function make(resource: string, body: JsonObject): Promise<string> {
  return String(metadataOf(await api.ask('POST', `${NAMESPACE}/${resource}`, body)).uid);
}

async function review(verdict: Verdict, spec: object = { token: 'a.b.c', audiences: ['vault'] }) {
  const { clock, world } = api.memory;
  const asked: unknown[] = [];
  const issuing = createApi({
    clock,
    random: seeded(1),
    logger: silentLogger,
    store: world.store,
    verbs: issuingVerbs,
    watches: { open: () => Promise.reject(new Error('none')) },
    announce: async () => {},
    tokens: {
      issuer: 'urn:winnow:one',
      sign: () => Promise.reject(new Error('none is asked for')),
      review: async (...given) => {
        asked.push(given);
        return verdict;
      },
    },
  });
  const request = {
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    user: ADMIN,
    body: Buffer.from(JSON.stringify({ spec })),
  };
  const { status, body } = await clock.during(issuing.handle(request, new AbortController().signal));
  return { status, asked, body: JSON.parse(String(body)) };
}

const bound = (resource: 'serviceaccounts' | 'pods' | 'secrets', more: object = {}) => ({
  resource,
  namespace: 'default',
  name: 'robot',
  uid: uids[resource],
  ...more,
});
const of = (...objects: ReturnType<typeof bound>[]): Verdict => ({
  identity: { username: 'robot', uid: 'u1', groups: ['robots'], extra: { key: ['value'] }, bound: objects },
  audiences: ['vault'],
});

it('A review names the account of a token whose objects all exist', async () => {
  const { status, body, asked } = await review(of(bound('serviceaccounts'), bound('pods'), bound('secrets')));
  expect(asked).toEqual([['a.b.c', ['vault']]]);
  expect(status).toBe(201);
  expect(body).toMatchObject({ kind: 'TokenReview', spec: { token: 'a.b.c', audiences: ['vault'] } });
  expect(body.status).toEqual({
    authenticated: true,
    user: {
      username: 'robot',
      uid: 'u1',
      groups: ['robots', 'system:authenticated'],
      extra: { key: ['value'] },
    },
    audiences: ['vault'],
  });
});

it.each<[string, () => ReturnType<typeof bound>, string]>([
  [
    'an account that is gone',
    () => bound('serviceaccounts', { name: 'gone' }),
    'serviceaccounts "gone" not found',
  ],
  [
    'another account of that name',
    () => bound('serviceaccounts', { uid: 'u0' }),
    'service account UID (UID) does not match claim (u0)',
  ],
  ['a pod that is gone', () => bound('pods', { name: 'gone' }), 'service account token has been invalidated'],
  [
    'another pod of that name',
    () => bound('pods', { uid: 'u0' }),
    'pod UID (UID) does not match service account pod ref claim (u0)',
  ],
  [
    'another secret of that name',
    () => bound('secrets', { uid: 'u0' }),
    'secret UID (UID) does not match service account secret ref claim (u0)',
  ],
])('says nobody of a token of %s, and why', async (_whose, broken, said) => {
  const one = broken();
  const { body } = await review(of(bound('serviceaccounts'), one));
  const error = `[invalid bearer token, ${said.replace('UID (UID)', `UID (${uids[one.resource]})`)}]`;
  expect(body.status).toEqual({ user: {}, error });
});

it('A review rejects a token of a deleted account with a finalizer after a minute', async () => {
  const path = `${NAMESPACE}/serviceaccounts/held`;
  const held = { metadata: { name: 'held', finalizers: ['example.com/hold'] } };
  const uid = await make('serviceaccounts', held);
  await api.ask('DELETE', path);
  const verdict = of(bound('serviceaccounts', { name: 'held', uid }));
  expect((await review(verdict)).body.status.authenticated).toBe(true);
  api.memory.clock.advance(62_000);
  const error = '[invalid bearer token, service account default/held has been deleted]';
  expect((await review(verdict)).body.status).toEqual({ user: {}, error });
});

it('A review gives the reason for an invalid token, and requires a token', async () => {
  expect((await review({ error: 'invalid bearer token' })).body.status).toEqual({
    user: {},
    error: 'invalid bearer token',
  });
  const { status, body, asked } = await review(of(), {});
  expect({ status, message: body.message, asked }).toEqual({
    status: 400,
    message: 'token is required for TokenReview in authentication',
    asked: [],
  });
});

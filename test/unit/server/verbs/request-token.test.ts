import { beforeEach, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { silentLogger } from '../../../../lib/platform/index.ts';
import { createApi, issuingVerbs } from '../../../../lib/server/index.ts';
import { podSpec } from '../../../support/pod-spec.ts';
import { ADMIN } from '../../../support/service/admin.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';
import { seeded } from '../../../support/watch/memory-world.ts';

const NAMESPACE = '/api/v1/namespaces/default';

let api: MemoryApi;
let claims: Record<string, unknown>[];

beforeEach(async () => {
  api = await createMemoryApi();
  claims = [];
  await api.ask('POST', `${NAMESPACE}/serviceaccounts`, { metadata: { name: 'robot' } });
  const spec = { ...podSpec(), serviceAccountName: 'robot' };
  await api.ask('POST', `${NAMESPACE}/pods`, { metadata: { name: 'own' }, spec });
  await api.ask('POST', `${NAMESPACE}/pods`, { metadata: { name: 'other' }, spec: podSpec() });
});

async function request(spec: JsonObject) {
  const { clock, world } = api.memory;
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
      sign: async (said) => {
        claims.push(said as Record<string, unknown>);
        return 'a.b.c';
      },
      review: () => Promise.reject(new Error('none is shown')),
    },
  });
  const asked = {
    method: 'POST',
    path: `${NAMESPACE}/serviceaccounts/robot/token`,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    user: ADMIN,
    body: Buffer.from(JSON.stringify({ spec })),
  };
  const { status, body } = await clock.during(issuing.handle(asked, new AbortController().signal));
  return { status, body: JSON.parse(String(body)) };
}

it('A token is signed for an hour by default, and for a day at most', async () => {
  expect((await request({ audiences: [] })).body.status.token).toBe('a.b.c');
  expect((await request({ audiences: ['vault'], expirationSeconds: 10 ** 6 })).status).toBe(201);
  const lives = claims.map(({ exp, iat, aud }) => [Number(exp) - Number(iat), aud]);
  expect(lives).toEqual([
    [3_600, ['urn:winnow:one']],
    [86_400, ['vault']],
  ]);
});

it('A token is bound to the named pod, if that pod runs as the account', async () => {
  const bound = (more: JsonObject) =>
    request({ audiences: [], boundObjectRef: { apiVersion: 'v1', ...more } });
  expect((await bound({ kind: 'Pod', name: 'own' })).status).toBe(201);
  expect(claims.at(-1)?.['kubernetes.io']).toMatchObject({ pod: { name: 'own' } });
  expect((await bound({ kind: 'Pod', name: 'other' })).body).toMatchObject({
    code: 400,
    message:
      'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
  });
  expect((await bound({ kind: 'Pod', name: 'own', uid: 'another' })).status).toBe(409);
  expect((await bound({ kind: 'Pod', name: 'gone' })).status).toBe(404);
  // A reference is never left out, even if incomplete: the token would outlive its bound object.
  expect((await bound({ name: 'own' })).body).toMatchObject({
    code: 400,
    message: 'cannot bind token to object of type /v1, Kind=',
  });
  expect(claims).toHaveLength(1);
});

import { beforeEach, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf } from '../../../../lib/json/index.ts';
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

async function request(spec: JsonObject, user = ADMIN) {
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
    user,
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

it('A node gets tokens that are bound to a pod on it, for audiences of the volumes of that pod', async () => {
  const node = { username: 'system:node:a', groups: ['system:nodes'] };
  const spec: JsonObject = {
    ...podSpec(),
    serviceAccountName: 'robot',
    nodeName: 'a',
    volumes: [
      { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 't', audience: 'vault' } }] } },
      { name: 'claim', persistentVolumeClaim: { claimName: 'claim' } },
      { name: 'old', awsElasticBlockStore: { volumeID: 'v' } },
    ] as JsonObject[],
  };
  const made = await api.ask('POST', `${NAMESPACE}/pods`, { metadata: { name: 'on-a' }, spec });
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'on-a', uid: String(metadataOf(made).uid) };
  const ask = (audience: string) => request({ audiences: [audience], boundObjectRef }, node);
  expect((await ask('vault')).status).toBe(201);
  expect((await ask('other')).body.message).toBe(
    'serviceaccounts "robot" is forbidden: error validating audience "other": ' +
      '[persistentvolumeclaim "claim" not found, csidriver.storage.k8s.io "ebs.csi.aws.com" not found]',
  );

  const driver = (name: string, audience: string) =>
    api.ask('POST', '/apis/storage.k8s.io/v1/csidrivers', {
      metadata: { name },
      spec: { tokenRequests: [{ audience }] },
    });
  await driver('ebs.csi.aws.com', 'disks');
  await driver('d.example', 'claims');
  expect((await ask('disks')).status).toBe(201);
  await api.ask('POST', '/api/v1/persistentvolumes', {
    metadata: { name: 'volume' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'd.example', volumeHandle: 'h' },
    },
  });
  await api.ask('POST', `${NAMESPACE}/persistentvolumeclaims`, {
    metadata: { name: 'claim' },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      volumeName: 'volume',
    },
  });
  expect((await ask('claims')).status).toBe(201);
  expect((await ask('other')).body.message).toBe(
    'serviceaccounts "robot" is forbidden: audience "other" not found in pod spec volume, ' +
      'system:node:a is not authorized to request tokens for this audience',
  );
});

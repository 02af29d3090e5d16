import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TokenUsers } from '../../../infra/local/trust/index.ts';
import { HttpClient } from '../../support/service/http-client.ts';
import { type Service, startService } from '../../support/service/service.ts';

const BURST = 10;
const NAMESPACES = '/api/v1/namespaces';

const users = new TokenUsers();
users.add('token-of-admin', { username: 'admin', groups: ['system:masters'] });
for (const name of ['alice', 'bob', 'carol', 'dave']) {
  users.add(`token-of-${name}`, { username: name, groups: [] });
}

let service: Service;
beforeAll(async () => {
  service = await startService({ users, requestsPerUser: `1/${BURST}`, serviceAccountTokens: true });
});
afterAll(() => service.stop());

const of = (token: string) =>
  new HttpClient(service.winnow.url, async () => ({ authorization: `Bearer ${token}` }));

/** Sends `requests` requests one after the other. Returns the responses and the seconds they took. */
async function flood(http: HttpClient, requests: number, headers: Record<string, string> = {}) {
  const began = Date.now();
  const answers = [];
  for (let request = 0; request < requests; request += 1) {
    answers.push(await http.send('GET', NAMESPACES, { headers }));
  }
  return { answers, seconds: (Date.now() - began) / 1_000 };
}

const refused = (answers: readonly { status: number }[]) => answers.filter(({ status }) => status === 429);

it('a flooding user gets 429 after the burst, and administrators and other users are served', async () => {
  const { answers, seconds } = await flood(of('token-of-alice'), 60);
  const admitted = answers.length - refused(answers).length;
  expect(admitted).toBeGreaterThanOrEqual(BURST);
  expect(admitted).toBeLessThanOrEqual(1.5 * BURST + seconds + 1);
  const [first] = answers.filter(({ status }) => status === 429);
  expect(first).toMatchObject({
    reason: 'TooManyRequests',
    body: { kind: 'Status', details: { retryAfterSeconds: 1 } },
  });
  expect(first?.headers.get('retry-after')).toBe('1');
  expect(refused((await flood(of('token-of-admin'), 40)).answers)).toEqual([]);
  expect((await of('token-of-bob').send('GET', NAMESPACES)).status).toBe(403);
});

it('reads, writes, reviews and placements draw from one budget', async () => {
  const http = of('token-of-carol');
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: {} };
  const paths = [
    ['GET', NAMESPACES],
    ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
    ['POST', '/apis/winnow.dev/v1/placementreviews'],
    ['POST', '/apis/authentication.k8s.io/v1/tokenreviews'],
  ] as const;
  const seen = new Map<string, number[]>();
  for (let round = 0; round < 12; round += 1) {
    for (const [method, path] of paths) {
      const { status } = await http.send(method, path, method === 'POST' ? { body: review } : {});
      seen.set(path, [...(seen.get(path) ?? []), status]);
    }
  }
  for (const [, path] of paths) expect(seen.get(path)).toContain(429);
  expect([...seen.values()].flat().filter((status) => status !== 429).length).toBeLessThan(3 * BURST);
});

it('an impersonated request counts for its caller', async () => {
  const rules = [{ apiGroups: [''], resources: ['users'], verbs: ['impersonate'] }];
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const admin = of('token-of-admin');
  await admin.post(`${rbac}/clusterroles`, { metadata: { name: 'impersonator' }, rules });
  await admin.post(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'impersonator' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'impersonator' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'dave' }],
  });
  const { answers } = await flood(of('token-of-dave'), 40, { 'impersonate-user': 'bob' });
  expect(refused(answers).length).toBeGreaterThan(0);
  expect((await of('token-of-bob').send('GET', NAMESPACES)).status).toBe(403);
});

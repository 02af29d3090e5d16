import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { Servers } from '../../support/service/start-cli.ts';

let servers: Servers;

beforeAll(async () => {
  servers = await Servers.open();
});

afterAll(() => servers.close());

it('winnow start --watches-per-user limits the open watches of each user, but not those of an administrator', async () => {
  await servers.start(servers.within('data'), '--auth', '--watches-per-user', '2');
  const { clusters, users } = parse(await readFile(servers.within('kubeconfig'), 'utf8'));
  const { server, 'certificate-authority-data': authority } = clusters[0].cluster;
  const ask = (path: string, user?: string, body?: object) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${users[0].user.token}`,
        'content-type': 'application/json',
        ...(user !== undefined && { 'impersonate-user': user }),
      };
      const method = body === undefined ? 'GET' : 'POST';
      const ca = Buffer.from(authority, 'base64');
      request(`${server}${path}`, { ca, headers, method }, resolve)
        .on('error', reject)
        .end(body && JSON.stringify(body));
    });
  const watch = (seconds: number, user?: string) =>
    ask(`/api/v1/pods?watch=true&timeoutSeconds=${seconds}`, user);
  const made = await ask('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', undefined, {
    metadata: { name: 'viewers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'Group', name: 'system:authenticated', apiGroup: 'rbac.authorization.k8s.io' }],
  });
  expect([made.statusCode, (await text(made)).length > 0]).toEqual([201, true]);

  const held = await Promise.all([watch(30, 'alice'), watch(5, 'alice')]);
  expect(held.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const refused = await watch(1, 'alice');
  expect([refused.statusCode, JSON.parse(await text(refused)).message]).toEqual([
    429,
    'user alice has 2 open watches, which is the limit. A watch whose client disconnected counts for up to 280 s',
  ]);
  const others = await Promise.all([watch(1, 'bob'), watch(1), watch(1), watch(1)]);
  expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  // One of Alice's watches ends by itself.
  await text(held[1] as IncomingMessage);
  expect((await watch(1, 'alice')).statusCode).toBe(200);
  for (const one of [...held, ...others]) one.destroy();
});

import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { winnow } from '../../support/service/run-cli.ts';
import { Servers } from '../../support/service/start-cli.ts';

let servers: Servers;

beforeAll(async () => {
  servers = await Servers.open();
});

afterAll(() => servers.close());

it("winnow start --auth requires a token, and writes an administrator's token that only this user can read", async () => {
  const file = servers.within('kubeconfig');
  await writeFile(file, '');
  await chmod(file, 0o644);
  const data = servers.within('data');
  const { child } = await servers.start(data, '--auth', '--service-account-tokens');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { clusters, users } = parse(await readFile(file, 'utf8'));
  const { server, 'certificate-authority-data': authority } = clusters[0].cluster;
  const ask = (headers: Readonly<Record<string, string>>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const ca = Buffer.from(authority, 'base64');
      const asking = request(`${server}/api/v1/pods`, { ca, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asking.on('error', reject).end();
    });
  expect(await ask({ authorization: `Bearer ${users[0].user.token}` })).toBe(200);
  expect(await ask({})).toBe(401);
  expect(await ask({ authorization: 'Bearer other' })).toBe(401);
  child.kill('SIGKILL');
});

it.each([
  ['--token-auth-file', ['--token-auth-file', 'nowhere']],
  ['--authentication-config', ['--authentication-config', 'nowhere']],
  ['--client-ca-file', ['--client-ca-file', 'nowhere']],
  ['--service-account-tokens', ['--service-account-tokens']],
  ['--watches-per-user', ['--watches-per-user', '2']],
])('winnow start %s is refused without --auth', async (option, options) => {
  const { code, errors } = await winnow(
    'start',
    '--port',
    '0',
    '--kubeconfig',
    servers.within('none'),
    ...options,
  );
  expect([code, errors]).toEqual([1, expect.stringContaining(`${option} needs --auth`)]);
});

it('winnow start refuses an invalid number of watches', async () => {
  for (const number of ['0', '1001', 'x', '']) {
    const { code, errors } = await winnow('start', '--watches-per-user', number);
    expect([code, errors]).toEqual([
      2,
      expect.stringContaining('the number of watches that one user may have open is'),
    ]);
  }
});

it('winnow start refuses an invalid range of addresses', async () => {
  for (const range of ['10.64.0.0', '10.0.0.0/8', '10.64.0.0/30', 'fd00::/108']) {
    const { code, errors } = await winnow('start', '--service-cluster-ip-range', range);
    expect([code, errors]).toEqual([2, expect.stringContaining('the range of clusterIPs is')]);
  }
});

it('winnow start refuses an invalid weight', async () => {
  for (const weight of ['abc', '', '101']) {
    const { code, errors } = await winnow('start', '--placement', '--hard-pod-affinity-weight', weight);
    expect([code, errors]).toEqual([2, expect.stringContaining('from 0 to 100')]);
  }
});

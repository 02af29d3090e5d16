import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { eventually } from '../../support/eventually.ts';
import { LAUNCHER, winnow } from '../../support/service/run-cli.ts';
import { Servers } from '../../support/service/start-cli.ts';

let servers: Servers;

beforeAll(async () => {
  servers = await Servers.open();
});

afterAll(() => servers.close());

it('winnow proxy serves the API without a login, by HTTP and by websocket, until it is interrupted', async () => {
  const { child: server } = await servers.start(servers.within('data'), '--auth');
  const options = ['--kubeconfig', servers.within('kubeconfig'), '--port', '0'];
  const child = spawn(process.execPath, [LAUNCHER, 'proxy', ...options]);
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (said += text));
  const url = await eventually('it serves', () => / at (http:\S+),/.exec(said)?.[1], 60_000);
  expect(said).toContain('with the token in the kubeconfig');
  const namespaces = await (await fetch(`${url}/api/v1/namespaces`)).json();
  expect(namespaces).toMatchObject({ kind: 'NamespaceList' });
  const websocket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/namespaces?watch=1`);
  const [message] = await once(websocket, 'message');
  expect(JSON.parse(String(message))).toMatchObject({ type: 'ADDED', object: { kind: 'Namespace' } });
  const taken = await winnow('proxy', ...options.slice(0, 2), '--port', new URL(url).port);
  expect([taken.code, taken.errors]).toEqual([1, expect.stringContaining('Choose another port with --port')]);
  server.kill('SIGKILL');
  await once(server, 'exit');
  const gone = await fetch(`${url}/api/v1/namespaces`);
  expect([gone.status, await gone.text()]).toEqual([503, expect.stringContaining('nothing listens at')]);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

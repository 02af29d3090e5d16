import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { podSpec } from '../../support/pod-spec.ts';
import { HttpClient } from '../../support/service/http-client.ts';
import { winnow } from '../../support/service/run-cli.ts';

const LAUNCHER = join(import.meta.dirname, '../../../bin/winnow.js');
const PODS = '/api/v1/namespaces/default/pods';

let directory: string;
const within = (name: string) => join(directory, name);
const running: ChildProcess[] = [];

interface Server {
  readonly child: ChildProcess;
  readonly http: HttpClient;
}

/** `winnow start` on a folder, once it runs. */
async function start(data: string, port = '0'): Promise<Server> {
  const options = ['--port', port, '--data', data, '--kubeconfig', within('kubeconfig')];
  const child = spawn(process.execPath, [LAUNCHER, 'start', ...options], {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (said += text));
  const url = await eventually('it starts', () => /runs at (http:\S+)/.exec(said)?.[1], 60_000);
  return { child, http: new HttpClient(url) };
}

const refused = (port: string, data: string) =>
  winnow('start', '--port', port, '--data', data, '--kubeconfig', within('refused'));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-test-'));
});

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(directory, { recursive: true, maxRetries: 3 });
});

describe('winnow start', () => {
  it('has its folder and its port for itself, until it is gone, however it goes', async () => {
    const first = await start(within('data'));
    await first.http.post(PODS, { metadata: { name: 'kept' }, spec: podSpec() });
    const { port } = new URL(first.http.url);
    const second = await refused('0', within('data'));
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.errors).toContain(`in use by the winnow at ${first.http.url} (process ${first.child.pid},`);
    const third = await refused(port, within('other'));
    expect(third).toMatchObject({ code: 1, out: '' });
    expect(third.errors).toContain(
      `cannot listen on port ${port} of 127.0.0.1: another program listens there`,
    );

    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const again = await start(within('data'));
    expect((await again.http.get(`${PODS}/kept`)).body.metadata.name).toBe('kept');
    again.child.kill('SIGTERM');
    expect(await once(again.child, 'exit')).toEqual([0, null]);
  }, 120_000);

  it.each(['/proc/nosuch', LAUNCHER, join(LAUNCHER, 'below')])(
    'says why it cannot keep data in %s',
    async (data) => {
      const { code, out, errors } = await refused('0', data);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(errors).toContain(`cannot keep data in ${data}: `);
    },
  );

  it('ends when it is interrupted under load, and has what it acknowledged', async () => {
    const { child, http } = await start(within('load'));
    let ended = false;
    const acknowledged: string[] = [];
    const agents = Array.from({ length: 24 }, async (_, agent) => {
      for (let made = 0; !ended; made += 1) {
        const name = `pod-${agent}-${made}`;
        await http.post(PODS, { metadata: { name, labels: { app: `a${made % 5}` } }, spec: podSpec() });
        acknowledged.push(name);
        await http.get(`${PODS}?labelSelector=app`);
      }
    });
    const watches = Array.from({ length: 60 }, (_, index) =>
      fetch(`${http.url}${PODS}?watch=true&labelSelector=app%3Da${index % 5}`).then((answer) =>
        answer.text(),
      ),
    );
    const loaded = Promise.allSettled([...agents, ...watches]);
    await eventually('some are written', () => acknowledged.length > 50, 60_000);
    const exit = once(child, 'exit');
    child.kill('SIGINT');
    // Without an end of its own, the process lives as long as its watches and the requests that were cut: minutes.
    const late = AbortSignal.timeout(20_000);
    const outcome = await Promise.race([exit, once(late, 'abort').then(() => 'late')]);
    ended = true;
    expect(outcome).toEqual([0, null]);
    await loaded;

    const again = await start(within('load'));
    const names = await again.http.names(PODS);
    expect(names).toEqual(expect.arrayContaining(acknowledged));
    again.child.kill('SIGINT');
    again.child.kill('SIGTERM');
    await once(again.child, 'exit');
  }, 180_000);
});

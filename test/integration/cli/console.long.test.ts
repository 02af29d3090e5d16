import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { begin, codeOf, serveApi } from '../../support/console/open-console.ts';
import { eventually } from '../../support/eventually.ts';
import { openRequest, type RawRequest, sendRaw } from '../../support/raw-request.ts';
import { LAUNCHER, winnow } from '../../support/service/run-cli.ts';
import { linkIn, Servers } from '../../support/service/start-cli.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
const DATA = 'c2VjcmV0';

let servers: Servers;

beforeAll(async () => {
  servers = await Servers.open();
});

afterAll(() => servers.close());

interface Session {
  readonly url: string;
  readonly about: Record<string, unknown>;
  send(path: string, request?: RawRequest): ReturnType<typeof sendRaw>;
  watch(path: string): ReturnType<typeof openRequest>;
}

async function sessionOf(link: string): Promise<Session> {
  const url = new URL(link).origin;
  const { token, ...about } = JSON.parse((await begin(url, codeOf(link))).text);
  const withToken = (request: RawRequest = {}) => ({
    ...request,
    headers: { 'winnow-session': token, ...request.headers },
  });
  return {
    url,
    about,
    send: (path, request) => sendRaw(url, path, withToken(request)),
    watch: (path) => openRequest(url, path, withToken()),
  };
}

/** Runs `winnow console` until it prints its link. */
async function runConsole(...parameters: readonly string[]) {
  const options = ['--kubeconfig', servers.within('kubeconfig'), '--port', '0', ...parameters];
  const child: ChildProcess = spawn(process.execPath, [LAUNCHER, 'console', ...options], {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output?.on('data', (text) => (said += text));
  const link = await eventually('it prints a link', () => linkIn(said), 60_000);
  return { child, said: () => said, session: await sessionOf(link), link };
}

const create = (name: string, value: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ metadata: { name, labels: { app: 'web' } }, ...value }),
});

describe('The console of winnow start', () => {
  it('The console shows changes as they happen, and ends with Winnow', async () => {
    const { child, http, link = '' } = await servers.start(servers.within('plain'), '--console-port', '0');
    const session = await sessionOf(link);
    expect(session.about).toEqual({
      context: 'local',
      server: http.url,
      user: 'local',
      readOnly: false,
      secrets: false,
      loopback: true,
    });
    const watch = await session.watch('/api/v1/configmaps?watch=1&labelSelector=app%3Dweb');
    await session.send('/api/v1/namespaces/default/configmaps', create('a', { data: { b: 'c' } }));
    const [event] = await once(watch, 'data');
    expect(JSON.parse(String(event))).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    const { body } = await http.get('/api/v1/namespaces/default/configmaps/a');
    expect(body.metadata.managedFields).toMatchObject([{ manager: 'winnow-console' }]);
    watch.on('error', () => {});
    const broken = new Promise((resolve) => watch.once('close', resolve));
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await broken;
  });

  it('Winnow starts without a console if the default port is taken, and fails if the named port is', async () => {
    const other = createServer();
    // Another program of this machine may have taken the port already.
    const taken = new Promise((resolve) => other.once('listening', resolve).once('error', resolve));
    other.listen(8081, '127.0.0.1');
    await taken;
    const options = ['start', '--port', '0', '--kubeconfig', servers.within('other')];
    const child = spawn(process.execPath, [LAUNCHER, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (said += text));
    await eventually('it runs', () => /Winnow runs at/.test(said), 540_000);
    expect(said).toContain('There is no console: cannot listen on port 8081 of 127.0.0.1');
    expect(linkIn(said)).toBeUndefined();
    child.kill('SIGTERM');
    await once(child, 'exit');
    const { code, out, errors } = await winnow(...options, '--console-port', '8081');
    expect([code, out]).toEqual([1, '']);
    expect(errors).toContain('Choose another port with --console-port');
    other.close();
  });
});

describe('winnow console', () => {
  beforeAll(async () => {
    await servers.start(servers.within('data'), '--auth');
  });

  it('The console acts with the login of the kubeconfig, and hides the data of Secrets', async () => {
    const { child, said, session, link } = await runConsole();
    expect(said()).toMatch(/Context: winnow-local-\d+\n {2}Server: {2}https:\/\/127\.0\.0\.1:\d+\n/);
    expect(said()).toContain('Login:   the token in the kubeconfig\n');
    expect(said()).toContain('Mode:    read and write, Secrets without their data\n');
    expect(session.about).toMatchObject({ user: 'admin', readOnly: false, secrets: false, loopback: true });
    expect((await session.send(SECRETS, create('pass', { data: { a: DATA } }))).status).toBe(403);
    const showing = await runConsole('--secrets');
    expect((await showing.session.send(SECRETS, create('pass', { data: { a: DATA } }))).status).toBe(201);
    expect(showing.said()).toContain('Secrets with their data');
    showing.child.kill('SIGTERM');
    const watches = [
      '/api/v1/secrets?watch=1',
      '/api/v1/watch/secrets',
      `${SECRETS}?watch&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    ];
    for (const path of watches) {
      const watch = await session.watch(path);
      const [event] = await once(watch, 'data');
      expect(JSON.parse(String(event).split('\n')[0] ?? '')).toMatchObject({
        type: 'ADDED',
        object: { kind: 'PartialObjectMetadata', metadata: { name: 'pass' } },
      });
      expect(String(event)).not.toContain(DATA);
      watch.destroy();
    }
    const second = await begin(session.url, codeOf(link));
    expect([second.status, (await session.send('/version')).status]).toEqual([401, 401]);
    await eventually('the terminal says so', () => said().includes('used a second time'));
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('A read-only console writes nothing, and sees as another user', async () => {
    const { child, said, session } = await runConsole('--read-only');
    expect(said()).toContain('Mode:    read-only');
    const maps = '/api/v1/namespaces/default/configmaps';
    expect((await session.send(maps, create('b', {}))).status).toBe(403);
    expect((await session.send(maps)).status).toBe(200);
    const as = (user: string, groups: string) => ({
      headers: { 'impersonate-user': user, 'impersonate-group': groups },
    });
    const seen = await session.send(maps, as('jane', 'a, b'));
    expect([seen.status, JSON.parse(seen.text).message]).toEqual([403, expect.stringContaining('"jane"')]);
    expect((await session.send(maps, as('jane', 'a, system:masters'))).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('winnow console says why it cannot serve: a port, a server that is not Winnow, no server', async () => {
    const { child, session } = await runConsole();
    const { port } = new URL(session.url);
    const kubeconfig = ['--kubeconfig', servers.within('kubeconfig')];
    const taken = await winnow('console', ...kubeconfig, '--port', port);
    expect([taken.code, taken.errors]).toEqual([
      1,
      expect.stringContaining('Choose another port with --port'),
    ]);
    child.kill('SIGTERM');
    const other = await serveApi((_, response) => response.end('{"gitVersion":"v1.33.2"}'));
    const foreign = await winnow('console', '--url', other.url);
    expect([foreign.code, foreign.errors]).toEqual([1, expect.stringContaining('not Winnow')]);
    await other.stop();
    const none = await winnow('console', '--url', other.url);
    expect([none.code, none.errors]).toEqual([1, expect.stringContaining('nothing listens at')]);
  });
});

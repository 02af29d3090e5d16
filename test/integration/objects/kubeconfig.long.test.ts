import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { writeKubeconfig } from '../../../cli/kubeconfig/index.ts';
import { TokenUsers } from '../../../infra/local/trust/index.ts';
import { connectKubeconfig, type KubeconfigOptions } from '../../../lib/client/node/index.ts';
import {
  type Kind,
  OutcomeUnknownError,
  resource,
  UnauthorizedError,
  UnavailableError,
} from '../../../lib/client/objects/index.ts';
import { listen } from '../../support/listen.ts';
import { certify, named } from '../../support/login/certify.ts';
import { type Service, startService } from '../../support/service/service.ts';

const MAPS = resource<Kind<{ data?: Record<string, string> }>>('v1', 'configmaps');
const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

const users = new TokenUsers();
users.add('secret', { username: 'admin', groups: ['system:masters'] });
users.add('later', { username: 'later', groups: ['system:masters'] });

let folder: string;
let service: Service;
let client: { readonly cert: string; readonly key: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'winnow-test-'));
  const authority = certify({ subject: named('authority') });
  client = certify({ subject: named('certified', 'system:masters'), issuer: authority });
  service = await startService({ tls: true, users, clientAuthority: authority.cert });
});

afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true });
});

const within = (name: string) => join(folder, name);
const base64 = (text: string) => Buffer.from(text).toString('base64');
let files = 0;

/** Connects with a kubeconfig for the service, whose authority it names. */
async function connectAs(user: object, cluster: object = {}, options: KubeconfigOptions = {}) {
  const trust = { 'certificate-authority-data': base64(service.winnow.authority ?? '') };
  const file = within(`config-${files++}`);
  const config = {
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: service.winnow.url, ...trust, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  };
  await writeFile(file, stringify(config));
  return connectKubeconfig({ deadline: 10_000, ...options, file });
}

type Connected = Awaited<ReturnType<typeof connectAs>>;

async function whoAmI(winnow: Connected): Promise<{ username: string; groups: string[] }> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const review = await winnow.request<{ status: { userInfo: { username: string; groups: string[] } } }>(
    REVIEWS,
    {
      method: 'POST',
      body,
    },
  );
  return review.status.userInfo;
}

const failure = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: Error) => error);

describe('A client of a kubeconfig', () => {
  it('The kubeconfig that winnow start --auth writes works with defaults: writes, lists and live sets', async () => {
    const file = within('written');
    await writeKubeconfig(file, service.winnow.url, { token: 'secret', authority: service.winnow.authority });
    process.env.KUBECONFIG = file;
    const winnow = await connectKubeconfig().finally(() => {
      delete process.env.KUBECONFIG;
    });
    const maps = winnow.objects(MAPS, { namespace: winnow.namespace });
    const live = maps.live('app=x');
    const left = new Promise<string>((resolve) =>
      live.on('delete', ({ metadata }) => resolve(metadata.name)),
    );
    await live.ready;
    await maps.create({ metadata: { name: 'a', labels: { app: 'x' } }, data: { a: 'ä' } });
    expect((await maps.get('a')).data).toEqual({ a: 'ä' });
    await maps.delete((await maps.get('a')).metadata);
    expect(await left).toBe('a');
    expect(live.state).toBe('live');
    await live.stop();
  });

  it('The client shows the certificate of the user, from the kubeconfig or from files', async () => {
    await writeFile(within('client.pem'), client.cert);
    await writeFile(within('client.key'), client.key);
    const data = {
      'client-certificate-data': base64(client.cert),
      'client-key-data': base64(client.key),
    };
    const paths = { 'client-certificate': 'client.pem', 'client-key': 'client.key' };
    for (const user of [data, paths]) {
      expect((await whoAmI(await connectAs(user))).username).toBe('certified');
    }
  });

  it('The client reads a tokenFile again when it changes', async () => {
    await writeFile(within('token'), 'secret\n');
    const winnow = await connectAs({ tokenFile: 'token' });
    expect((await whoAmI(winnow)).username).toBe('admin');
    await writeFile(within('token'), 'later\n');
    expect((await whoAmI(winnow)).username).toBe('later');
    await writeFile(within('token'), '');
    expect((await failure(whoAmI(winnow)))?.message).toContain(`the tokenFile ${within('token')} is empty`);
    await rm(within('token'));
    const error = await failure(whoAmI(winnow));
    expect(error?.message).toContain(`the tokenFile ${within('token')} cannot be read: ENOENT`);
  });

  it('The client asks as the user in the field "as"', async () => {
    const winnow = await connectAs({ token: 'secret', as: 'jane', 'as-groups': ['a', 'b'] });
    expect(await whoAmI(winnow)).toMatchObject({
      username: 'jane',
      groups: expect.arrayContaining(['a', 'b']),
    });
  });

  it('A request that is aborted ends, and a server that is gone is reported', async () => {
    const winnow = await connectAs({ token: 'secret' });
    const ending = new AbortController();
    const watching = (async () => {
      for await (const event of winnow
        .objects(MAPS)
        .watch('', { signal: ending.signal, opened: () => ending.abort() })) {
        return event;
      }
    })();
    expect(await watching).toBeUndefined();
    const gone = await connectAs({ token: 'secret' }, { server: 'https://127.0.0.1:1' });
    const error = await failure(gone.request('/version'));
    expect(error?.message).toContain('ECONNREFUSED');
  });

  it('A redirect is not followed, and the token does not travel to another server', async () => {
    const winnow = await connectAs({ token: 'secret' });
    expect(await failure(winnow.request('//elsewhere'))).toBeInstanceOf(TypeError);
    const { cert, key } = client;
    const sent: unknown[] = [];
    const server = await listen(
      createServer({ cert, key }, ({ url, headers }, answer) => {
        sent.push([url, headers.authorization]);
        answer.writeHead(307, { location: '/other' }).end();
      }),
    );
    const url = server.url.replace('http:', 'https:');
    const skips = { server: url, 'certificate-authority-data': '', 'insecure-skip-tls-verify': true };
    const redirected = await connectAs({ token: 'secret' }, skips, { insecure: true });
    expect(await failure(redirected.request('/version'))).toMatchObject({ code: 307 });
    expect(sent).toEqual([['/version', 'Bearer secret']]);
    await server.stop();
  });
});

describe('The trust of a kubeconfig', () => {
  it('The certificate of the server must have the tls-server-name', async () => {
    const named = (name: string) => connectAs({ token: 'secret' }, { 'tls-server-name': name });
    expect((await whoAmI(await named('localhost'))).username).toBe('admin');
    const error = await failure((await named('winnow.example')).request('/version'));
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error?.message).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('Another authority is refused before the request is sent, so a create has a known outcome', async () => {
    const other = certify({ subject: named('other') });
    const winnow = await connectAs({ token: 'secret' }, { 'certificate-authority-data': base64(other.cert) });
    const error = await failure(
      winnow.objects(MAPS, { namespace: 'default' }).create({ metadata: { name: 'never' } }),
    );
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).not.toBeInstanceOf(OutcomeUnknownError);
    expect(error?.message).toMatch(
      /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER/,
    );
  });

  it('A server that is not verified is used only with the option insecure', async () => {
    const skips = { 'certificate-authority-data': '', 'insecure-skip-tls-verify': true };
    expect((await failure(connectAs({ token: 'secret' }, skips)))?.message).toContain('the option insecure');
    const winnow = await connectAs({ token: 'secret' }, skips, { insecure: true });
    expect((await whoAmI(winnow)).username).toBe('admin');
  });
});

describe('An exec plugin of a kubeconfig', () => {
  const version = 'client.authentication.k8s.io/v1';

  /** Writes a plugin that notes each run, and prints what its code puts into `status`. */
  async function plugin(code: string, more: object = {}) {
    const name = `plugin-${files++}`;
    const program = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
appendFileSync('${within(`${name}.runs`)}', JSON.stringify({ info, args: process.argv.slice(2), env: process.env.SITE }) + '\\n');
const runs = readFileSync('${within(`${name}.runs`)}', 'utf8').split('\\n').length - 1;
let status = {};
${code}
console.log(JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status }));`;
    await writeFile(within(name), program, { mode: 0o755 });
    const entry = { apiVersion: version, interactiveMode: 'Never', command: `./${name}`, ...more };
    const runs = async () => {
      const lines = (await readFile(within(`${name}.runs`), 'utf8')).trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line));
    };
    return { user: { exec: entry }, runs };
  }

  it('The plugin runs once for requests at the same time, and again after the end of its token', async () => {
    const lasting = await plugin(
      "status = { token: 'secret', expirationTimestamp: '2999-01-01T00:00:00Z' };",
    );
    const winnow = await connectAs(lasting.user);
    await Promise.all([whoAmI(winnow), whoAmI(winnow)]);
    expect((await whoAmI(winnow)).username).toBe('admin');
    expect(await lasting.runs()).toHaveLength(1);
    const short = await plugin("status = { token: 'secret', expirationTimestamp: '2001-01-01T00:00:00Z' };");
    const other = await connectAs(short.user);
    await whoAmI(other);
    const before = (await short.runs()).length;
    await whoAmI(other);
    expect((await short.runs()).length).toBeGreaterThan(before);
  });

  it('The plugin runs again after a 401, once', async () => {
    const renewed = await plugin("status = { token: runs === 1 ? 'old' : 'secret' };");
    const winnow = await connectAs(renewed.user);
    expect((await whoAmI(winnow)).username).toBe('admin');
    expect(await renewed.runs()).toHaveLength(2);
    const refused = await plugin("status = { token: 'wrong-' + runs };");
    expect(await failure(whoAmI(await connectAs(refused.user)))).toBeInstanceOf(UnauthorizedError);
    expect(await refused.runs()).toHaveLength(2);
  });

  it('The plugin gets its arguments, variables and the cluster; v1beta1 works too', async () => {
    await writeFile(within('ca.pem'), service.winnow.authority ?? '');
    for (const apiVersion of [version, 'client.authentication.k8s.io/v1beta1']) {
      const { user, runs } = await plugin("status = { token: 'secret' };", {
        apiVersion,
        args: ['get-token', 'ä b'],
        env: [{ name: 'SITE', value: 'north' }],
        provideClusterInfo: true,
      });
      const cluster = {
        'certificate-authority-data': '',
        'certificate-authority': 'ca.pem',
        'tls-server-name': 'localhost',
        extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }],
      };
      expect((await whoAmI(await connectAs(user, cluster))).username).toBe('admin');
      expect(await runs()).toEqual([
        {
          args: ['get-token', 'ä b'],
          env: 'north',
          info: {
            apiVersion,
            kind: 'ExecCredential',
            spec: {
              interactive: false,
              cluster: {
                server: service.winnow.url,
                'tls-server-name': 'localhost',
                'certificate-authority-data': base64(service.winnow.authority ?? ''),
                config: { audience: 'a' },
              },
            },
          },
        },
      ]);
    }
  });

  it('The plugin may return a certificate', async () => {
    const pair = JSON.stringify({ clientCertificateData: client.cert, clientKeyData: client.key });
    const { user } = await plugin(`status = ${pair};`);
    expect((await whoAmI(await connectAs(user))).username).toBe('certified');
  });

  it.each([
    ['that fails', "console.error('no session'); process.exit(3);", 'ended with exit code 3: no session'],
    ['that prints no credential', "console.log('secret'); process.exit(0);", 'printed no ExecCredential'],
    ['of another version', "info.apiVersion = 'v2';", 'printed the apiVersion v2; the kubeconfig has'],
    ['without a token', '', 'neither a token nor a certificate'],
    ['with half a certificate', "status = { clientKeyData: 'secret' };", 'a key without its certificate'],
    ['with a wrong end', "status = { token: 'secret', expirationTimestamp: 'x' };", 'that is not a time'],
  ])('A plugin %s is an error in words, without its output', async (_, code, words) => {
    const { user } = await plugin(code);
    const error = await failure(whoAmI(await connectAs(user)));
    expect(error?.message).toContain(words);
    expect(error?.message).not.toContain('secret');
  });

  it('A plugin that is missing is an error with its installHint', async () => {
    const exec = {
      apiVersion: version,
      interactiveMode: 'Never',
      command: 'no-such-plugin',
      installHint: 'Get it.',
    };
    const error = await failure(whoAmI(await connectAs({ exec })));
    expect(error?.message).toBe('the login command no-such-plugin was not found\nGet it.');
  });
});

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import { stringify } from 'yaml';
import { readKubeconfig } from '../../../../lib/client/node/index.ts';
import { readContext } from '../../../../lib/client/node/kubeconfig.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'winnow-test-'));
  // Also where these tests run in a terminal.
  Object.defineProperty(process.stdin, 'isTTY', { value: false, configurable: true });
});
afterEach(() => {
  delete process.env.KUBECONFIG;
});
afterAll(() => rm(folder, { recursive: true }));

const within = (name: string) => join(folder, name);
let files = 0;

/** Writes a kubeconfig, and returns its path. */
async function write(content: object | string): Promise<string> {
  const file = within(`config-${files++}`);
  await writeFile(file, typeof content === 'string' ? content : stringify(content));
  return file;
}

const SERVER = 'https://winnow.example';
const cluster = (name: string, more: object = {}) => ({ name, cluster: { server: SERVER, ...more } });
const user = (name: string, user: object = {}) => ({ name, user });
const context = (name: string, more: object = {}) => ({
  name,
  context: { cluster: 'c', user: 'u', ...more },
});

/** A kubeconfig with one context. */
const config = (ofUser: object = {}, ofCluster: object = {}) => ({
  'current-context': 'x',
  clusters: [cluster('c', ofCluster)],
  users: [user('u', ofUser)],
  contexts: [context('x')],
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'nothing',
    (error: Error) => error.message,
  );

describe('The context of a kubeconfig', () => {
  it.each([
    ['a token', { token: 't' }, {}],
    ['a certificate in the file', { 'client-certificate-data': 'Yw==', 'client-key-data': 'aw==' }, {}],
    ['certificates in files', { 'client-certificate': 'a/c.pem', 'client-key': '/k.pem' }, {}],
    ['an authority in the file', {}, { 'certificate-authority-data': 'Yw==', 'tls-server-name': 'other' }],
    ['an authority in a file', {}, { 'certificate-authority': '../ca.pem' }],
    ['no verification', {}, { 'insecure-skip-tls-verify': true }],
    ['another user', { as: 'jane' }, {}],
  ])('The client reads %s as @kubernetes/client-node does', async (_, ofUser, ofCluster) => {
    const file = await write(config(ofUser, ofCluster));
    const theirs = new KubeConfig();
    theirs.loadFromFile(file);
    const [their, login] = [theirs.getCurrentCluster(), theirs.getCurrentUser()];
    const read = await readContext({ file });
    const none = (value: unknown) => value ?? undefined;
    expect(read.name).toBe(theirs.getCurrentContext());
    expect(read.cluster).toMatchObject({
      server: their?.server,
      authorityFile: none(their?.caFile),
      authorityData: none(their?.caData),
      serverName: none(their?.tlsServerName),
      skipsVerification: their?.skipTLSVerify,
    });
    expect(read.user).toMatchObject({
      token: none(login?.token),
      certificateFile: none(login?.certFile),
      certificateData: none(login?.certData),
      keyFile: none(login?.keyFile),
      keyData: none(login?.keyData),
      impersonation: login?.impersonateUser ? { 'impersonate-user': login.impersonateUser } : {},
    });
  });

  it('The named context decides, or else the current one; the namespace is default if there is none', async () => {
    const other = { ...config(), contexts: [context('x'), context('y', { namespace: 'shop' })] };
    const file = await write(other);
    const read = async (name?: string) => {
      const { context: chosen, namespace } = await readKubeconfig({ file, context: name });
      return [chosen, namespace];
    };
    expect([await read(), await read('y')]).toEqual([
      ['x', 'default'],
      ['y', 'shop'],
    ]);
    expect(await failure(read('z'))).toContain(
      `there is no context "z" in ${file}; the contexts are: "x", "y"`,
    );
  });

  it('Of several files in KUBECONFIG, the first one with an entry decides, and a missing one is passed over', async () => {
    const first = await write({ clusters: [cluster('c')], users: null, contexts: [context('x')] });
    const second = await write({
      ...config({ token: 'second' }, { 'tls-server-name': 'second' }),
      contexts: [context('x', { namespace: 'second' }), context('y', { namespace: 'y' })],
      'current-context': 'y',
    });
    process.env.KUBECONFIG = [within('missing'), first, '', second, first].join(':');
    const { name, namespace, cluster: read, user: login } = await readContext({});
    expect([name, namespace, read.serverName, login.token]).toEqual(['y', 'y', undefined, 'second']);
    expect((await readContext({ context: 'x' })).namespace).toBe('default');
    expect((await readContext({ file: second })).cluster.serverName).toBe('second');
  });

  it('Paths are counted from the folder of their file', async () => {
    await mkdir(within('deep'), { recursive: true });
    const file = within('deep/config');
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './login', args: ['./a'] };
    await writeFile(
      file,
      stringify(config({ tokenFile: 'token', exec }, { 'certificate-authority': '../ca' })),
    );
    const { cluster: read, user: login } = await readContext({ file });
    expect([read.authorityFile, login.tokenFile]).toEqual([within('ca'), within('deep/token')]);
    expect(login.exec).toMatchObject({ command: within('deep/login'), args: ['./a'] });
  });

  it('A kubeconfig may be JSON, and YAML with anchors and comments', async () => {
    const json = await write(JSON.stringify(config({ token: 'json' })));
    expect((await readContext({ file: json })).user.token).toBe('json');
    const yaml = await write(`# written by hand
clusters: [{ name: c, cluster: &one { server: "${SERVER}" } }, { name: d, cluster: *one }]
contexts: [{ name: x, context: { cluster: d } }]
current-context: x
`);
    const { cluster: read, user: login } = await readContext({ file: yaml });
    expect([read.server, login.token]).toEqual([SERVER, undefined]);
  });

  it('A user who asks as another one sends all of the headers of impersonation', async () => {
    const file = await write(
      config({ as: 'jane', 'as-uid': '5', 'as-groups': ['a', 'b'], 'as-user-extra': { 'x/y': ['z'] } }),
    );
    expect((await readContext({ file })).user.impersonation).toEqual({
      'impersonate-user': 'jane',
      'impersonate-uid': '5',
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-x%2Fy': ['z'],
    });
  });
});

describe('A kubeconfig that the client refuses', () => {
  const exec = (more: object) => ({
    exec: { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never', command: 'x', ...more },
  });

  it.each([
    ['an auth-provider', config({ 'auth-provider': { name: 'gcp' } }), 'the auth-provider "gcp"'],
    ['a password', config({ username: 'jane', password: 'secret' }), 'a password'],
    ['a proxy', config({}, { 'proxy-url': 'http://proxy' }), 'a proxy-url'],
    ['no verification', config({}, { 'insecure-skip-tls-verify': true }), 'or the option insecure'],
    ['a number as the token', config({ token: 5 }), 'put the value in quotes'],
    ['a text as a flag', config({}, { 'insecure-skip-tls-verify': 'yes' }), 'neither true nor false'],
    ['a certificate without a key', config({ 'client-certificate-data': 'LS0tLS1CRUdJTiA=' }), 'client-key'],
    ['an authority that is not PEM', config({}, { 'certificate-authority-data': 'YQ==' }), 'is not PEM'],
    [
      'an authority that is missing',
      config({}, { 'certificate-authority': 'no.pem' }),
      'cannot be read: ENOENT',
    ],
    ['no current context', { ...config(), 'current-context': '' }, 'there is no current context'],
    ['a cluster that is missing', { ...config(), clusters: [] }, 'needs the cluster "c"'],
    ['a user that is missing', { ...config(), users: [] }, 'needs the user "u"'],
    ['a cluster without a server', config({}, { server: '' }), 'has no server'],
    ['a name twice', { ...config(), users: [user('u'), user('u')] }, 'two users with the name "u"'],
    ['a list for a map', [1], 'it is not a map'],
    ['a map for a list', { ...config(), contexts: {} }, 'contexts is not a list'],
    ['an older plugin', config(exec({ apiVersion: 'client.authentication.k8s.io/v1alpha1' })), 'v1alpha1'],
    ['a plugin without a mode', config(exec({ interactiveMode: undefined })), 'the interactiveMode ""'],
    ['a plugin that needs a terminal', config(exec({ interactiveMode: 'Always' })), 'needs a terminal'],
    ['a plugin without a command', config(exec({ command: '' })), 'has no command'],
  ])('The client refuses %s in words', async (_, content, words) => {
    expect(await failure(readKubeconfig({ file: await write(content) }))).toContain(words);
  });

  it('A file that is not YAML is an error that names the line, and contains nothing of it', async () => {
    const file = await write('users:\n- name: u\n  user: { token: secret\n');
    const words = await failure(readKubeconfig({ file }));
    expect(words).toMatch(/is not YAML: line \d: /);
    expect(words).not.toContain('secret');
  });

  it('A file that is named and missing is an error, also if KUBECONFIG names another', async () => {
    process.env.KUBECONFIG = await write(config());
    const words = await failure(readKubeconfig({ file: within('missing') }));
    expect(words).toContain(`${within('missing')} does not exist`);
    process.env.KUBECONFIG = within('missing');
    expect(await failure(readKubeconfig())).toContain('does not exist');
  });

  it('A cluster that is not verified is accepted with the option insecure, and over plain HTTP', async () => {
    const skips = { 'insecure-skip-tls-verify': true };
    const file = await write(config({}, skips));
    expect((await readKubeconfig({ file, insecure: true })).url).toBe(SERVER);
    const plain = await write(config({}, { ...skips, server: 'http://127.0.0.1:8080' }));
    expect((await readKubeconfig({ file: plain })).url).toBe('http://127.0.0.1:8080');
  });
});

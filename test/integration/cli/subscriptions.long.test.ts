import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Connection, openAccess } from '../../../cli/connection/index.ts';
import { findAuthored } from '../../../cli/subscriptions/find-authored.ts';
import { stop } from '../../../cli/subscriptions/stop.ts';
import { eventually } from '../../support/eventually.ts';
import { run, winnow } from '../../support/service/run-cli.ts';
import { Servers } from '../../support/service/start-cli.ts';

const TOKENS = ['jane', 'robot-owner', 'leaver', 'half'];
const ROBOT = 'system:serviceaccount:shop:robot';

let servers: Servers;

const admin = () => ['--kubeconfig', servers.within('kubeconfig')];

/** Runs kubectl as an administrator, or with the token of a user. Throws if it fails. */
async function kubectl(...parameters: string[]): Promise<string> {
  const { code, out, errors } = await run('kubectl', [...admin(), ...parameters]);
  if (code !== 0) throw new Error(errors);
  return out;
}

async function apply(user: string | undefined, ...objects: object[]) {
  const file = servers.within(`${user}.json`);
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  const login = user === undefined ? [] : [`--token=${user}-token`];
  await kubectl('create', '--validate=false', '-f', file, ...login);
}

const told = (kind: string, namespace: string, name: string, spec: object = {}) => ({
  apiVersion: 'winnow.dev/v1',
  kind,
  metadata: { name, namespace },
  spec: { resource: { resource: 'configmaps' }, ...spec },
});

const binding = (namespace: string, user: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: user, namespace },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'writer' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
});

const role = (name: string, ...rules: [string, string[], string[]][]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name },
  rules: rules.map(([group, resources, verbs]) => ({ apiGroups: [group], resources, verbs })),
});

const subscriptions = (...parameters: string[]) => winnow('subscriptions', ...parameters, ...admin());
const revoke = (...parameters: string[]) => subscriptions('revoke', ...parameters);

const connect = () =>
  new Connection(openAccess({ kubeconfig: servers.within('kubeconfig') }), new AbortController().signal);

/** The Subscriptions and Tallies of an author: kind, namespace, name, and whether it is suspended. */
async function ofAuthor(author: string) {
  const { out } = await subscriptions('--author', author, '-o', 'json');
  return JSON.parse(out).map((one: Record<string, Record<string, unknown>>) =>
    [one.kind, one.metadata?.namespace, one.metadata?.name, one.spec?.suspend ?? false].join(' '),
  );
}

beforeAll(async () => {
  servers = await Servers.open();
  const tokens = servers.within('tokens');
  await writeFile(tokens, TOKENS.map((user) => `${user}-token,${user},${user}\n`).join(''));
  await servers.start(servers.within('data'), '--auth', '--token-auth-file', tokens);
  await kubectl('config', 'set-credentials', 'half', '--token=half-token');
  const cluster = await kubectl('config', 'view', '-o', 'jsonpath={.clusters[0].name}');
  await kubectl('config', 'set-context', 'half', '--user=half', `--cluster=${cluster}`);
  const own = ['subscriptions', 'tallies'];
  await apply(
    undefined,
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', namespace: 'shop' } },
    role(
      'writer',
      ['winnow.dev', own, ['*']],
      ['', ['configmaps'], ['*']],
      ['', ['serviceaccounts'], ['impersonate']],
    ),
    role('lister', ['winnow.dev', own, ['list']]),
    {
      ...binding('', 'half'),
      kind: 'ClusterRoleBinding',
      metadata: { name: 'half' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'lister' },
    },
    binding('shop', 'half'),
    ...['jane', 'robot-owner', 'leaver'].flatMap((user) => [binding('default', user), binding('shop', user)]),
    told('Subscription', 'default', 'of-admin'),
  );
  await apply('jane', told('Subscription', 'shop', 'of-jane'), told('Tally', 'shop', 'counted-by-jane'));
  await apply('robot-owner', told('Subscription', 'shop', 'of-robot', { serviceAccountName: 'robot' }));
  await apply(
    'leaver',
    told('Subscription', 'default', 'one', { labelSelector: 'app=web', start: 'snapshot' }),
    told('Subscription', 'shop', 'two'),
    told('Tally', 'shop', 'three'),
  );
});

afterAll(() => servers.close());

describe('winnow subscriptions', () => {
  it('winnow subscriptions lists those of all namespaces with their authors', async () => {
    const { code, out } = await subscriptions();
    expect(code).toBe(0);
    const lines = out.split('\n').map((line) => line.split(/\s{2,}/));
    expect(lines[0]).toEqual(
      'KIND NAMESPACE NAME RESOURCE AUTHOR IDENTITY WRITER PHASE AUTHORIZED'.split(' '),
    );
    const authors = lines
      .slice(1, -1)
      .map(([kind, , name, resource, author]) => [kind, name, resource, author]);
    expect(authors.sort()).toEqual([
      ['Subscription', 'of-admin', 'configmaps', '-'],
      ['Subscription', 'of-jane', 'configmaps', 'jane'],
      ['Subscription', 'of-robot', 'configmaps', ROBOT],
      ['Subscription', 'one', 'configmaps', 'leaver'],
      ['Subscription', 'two', 'configmaps', 'leaver'],
      ['Tally', 'counted-by-jane', 'configmaps', 'jane'],
      ['Tally', 'three', 'configmaps', 'leaver'],
    ]);
  });

  it('--author lists those of a user, and reports if there are none', async () => {
    expect(await ofAuthor('jane')).toEqual([
      'Subscription shop of-jane false',
      'Tally shop counted-by-jane false',
    ]);
    expect(await subscriptions('--author', 'jan')).toEqual({
      code: 0,
      out: '',
      errors: 'no Subscription or Tally has the author jan\n',
    });
  });

  it('--author lists those that run as a service account, with its uid', async () => {
    const uid = await kubectl('get', 'sa', 'robot', '-n', 'shop', '-o', 'jsonpath={.metadata.uid}');
    const { out } = await subscriptions('--author', ROBOT);
    expect(out).toMatch(new RegExp(`of-robot .*${ROBOT} +uid ${uid} `));
  });

  it('--author lists those that a user wrote to run as a service account', async () => {
    expect(await ofAuthor('robot-owner')).toEqual(['Subscription shop of-robot false']);
    const { out } = await subscriptions('--author', 'robot-owner');
    expect(out).toMatch(/of-robot .*robot-owner /);
    await kubectl('label', 'subscription', 'of-robot', '-n', 'shop', 'kept=true');
    expect(await ofAuthor('robot-owner')).toHaveLength(1);
  });

  it('findAuthored finds the same objects in pages of one', async () => {
    const connection = connect();
    const names = (found: Awaited<ReturnType<typeof findAuthored>>) =>
      found.map(({ object }) => object.metadata.name);
    expect(names(await findAuthored(connection, { page: 1 }))).toHaveLength(7);
    expect(names(await findAuthored(connection, { author: 'leaver', page: 1 }))).toEqual([
      'one',
      'two',
      'three',
    ]);
  });
});

describe('winnow subscriptions revoke', () => {
  it('revoke changes nothing without --yes and without a terminal', async () => {
    const { code, out, errors } = await revoke('--author', 'leaver');
    expect(code).toBe(1);
    expect(out).toMatch(/Subscription +default +one /);
    expect(errors).toContain('nothing was changed: without a terminal, confirm with --yes');
    expect(await ofAuthor('leaver')).toContain('Subscription default one false');
  });

  it('revoke needs an author', async () => {
    const { code, errors } = await revoke('--yes');
    expect([code, errors]).toEqual([2, expect.stringContaining("required option '--author <name>'")]);
  });

  it('revoke reports those that could not be suspended, and suspends the others', async () => {
    const { code, out, errors } = await revoke('--author', 'leaver', '--yes', '--context', 'half');
    expect([code, out, errors]).toEqual([
      1,
      expect.stringContaining('Subscription shop/two: suspended'),
      expect.stringContaining('1 of 3 are not stopped; run the command again:\nSubscription default/one: '),
    ]);
  });

  it('revoke suspends only those of the author, keeps the rest of spec, and can run again', async () => {
    const first = await revoke('--author', 'leaver', '--yes');
    expect([first.code, first.out]).toEqual([
      0,
      expect.stringContaining('Subscription default/one: suspended'),
    ]);
    expect(first.out).not.toContain('shop/two: ');
    expect(first.out).not.toContain('shop/three: ');
    const again = await revoke('--author', 'leaver', '--yes');
    expect([again.code, again.out]).toEqual([0, expect.not.stringContaining(': suspended')]);
    expect(again.errors).toContain('3 of these are suspended already');
    expect(await ofAuthor('leaver')).toEqual([
      'Subscription default one true',
      'Subscription shop two true',
      'Tally shop three true',
    ]);
    expect(await ofAuthor('jane')).toEqual([
      'Subscription shop of-jane false',
      'Tally shop counted-by-jane false',
    ]);
    const phase = () => kubectl('get', 'tally', 'three', '-n', 'shop', '-o', 'jsonpath={.status.phase}');
    await eventually('the Tally is stopped', async () => (await phase()) === 'Suspended', 540_000);
    const { spec, status } = JSON.parse(await kubectl('get', 'subscription', 'one', '-o', 'json'));
    expect(spec).toMatchObject({ labelSelector: 'app=web', start: 'snapshot' });
    expect(status.author.username).toBe('leaver');
  });

  it('a revocation holds when the author logs in again, until an administrator resumes it', async () => {
    const phase = () => kubectl('get', 'subscription', 'one', '-o', 'jsonpath={.status.phase}');
    await eventually('it is suspended', async () => (await phase()) === 'Suspended', 540_000);
    await kubectl('get', 'configmaps', '--token=leaver-token');
    expect(await ofAuthor('leaver')).toContain('Subscription default one true');
    await kubectl('patch', 'subscription', 'one', '--type=merge', '-p', '{"spec":{"suspend":false}}');
    await eventually('it is sent again', async () => (await phase()) === 'Synced', 540_000);
    expect(await ofAuthor('leaver')).toContain('Subscription default one false');
  });

  it.each([
    [true, ': 409 '],
    [false, ': 422 '],
  ])('revoke keeps a recreated object of the same name (delete: %s)', async (deletes, refusal) => {
    const connection = connect();
    const [found] = await findAuthored(connection, { author: 'leaver' });
    if (found === undefined) throw new Error('the author has none');
    const metadata = { ...found.object.metadata, uid: '00000000-0000-4000-8000-000000000000' };
    const before = { ...found, object: { ...found.object, metadata } };
    await expect(stop(connection, before, deletes)).rejects.toThrow(refusal);
    expect(await ofAuthor('leaver')).toContain('Subscription default one false');
  });

  it('revoke --delete deletes the Subscriptions and Tallies of the author, and can run again', async () => {
    const { code, out } = await revoke('--author', 'leaver', '--delete', '--yes');
    expect(code).toBe(0);
    for (const one of ['Subscription default/one', 'Subscription shop/two', 'Tally shop/three']) {
      expect(out).toContain(`${one}: deleted`);
    }
    await eventually('they are gone', async () => (await ofAuthor('leaver')).length === 0, 540_000);
    expect((await revoke('--author', 'leaver', '--delete', '--yes')).code).toBe(0);
    expect(await ofAuthor('jane')).toHaveLength(2);
  });
});

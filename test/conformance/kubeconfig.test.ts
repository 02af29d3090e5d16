import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { readContext } from '../../lib/client/node/kubeconfig.ts';
import { findKubectls } from './harness/kubectl-binaries.ts';

const [kubectl] = findKubectls();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'winnow-test-'));
  await mkdir(join(folder, 'deep'));
  const files = ['ca.pem', 'deep/ca.pem', 'deep/c.pem', 'deep/k.pem'];
  for (const file of files) await writeFile(join(folder, file), file);
});
afterEach(() => {
  delete process.env.KUBECONFIG;
});
afterAll(() => rm(folder, { recursive: true }));

const cluster = (name: string, more: object) => ({
  name,
  cluster: { server: 'https://winnow.example', ...more },
});
const user = (name: string, user: object) => ({ name, user });
const context = (name: string, more: object = {}) => ({
  name,
  context: { cluster: 'c', user: 'u', ...more },
});

const FIRST = {
  clusters: [cluster('c', { 'certificate-authority': 'ca.pem' })],
  users: [user('u', { token: 'first' })],
  contexts: [context('one'), context('two', { cluster: 'd', namespace: 'first' })],
};
const SECOND = {
  'current-context': 'two',
  clusters: [
    cluster('c', { 'tls-server-name': 'second' }),
    cluster('d', { 'certificate-authority': '../ca.pem' }),
  ],
  users: [
    user('u', { token: 'second', as: 'jane' }),
    user('v', {
      'client-certificate': 'c.pem',
      'client-key': 'k.pem',
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        interactiveMode: 'Never',
        provideClusterInfo: false,
        command: './login',
        args: ['a'],
        env: [{ name: 'SITE', value: 'north' }],
      },
    }),
  ],
  contexts: [context('one', { namespace: 'second' }), context('three', { user: 'v', namespace: 'z' })],
};

it.each([
  ['the current context', undefined],
  ['a context of both files', 'one'],
  ['a context of the second file', 'three'],
])('The client reads %s of two kubeconfigs as kubectl does', async (_, name) => {
  const files = [join(folder, 'first'), join(folder, 'deep/second')] as const;
  await writeFile(files[0], stringify(FIRST));
  await writeFile(files[1], stringify(SECOND));
  process.env.KUBECONFIG = ['', join(folder, 'missing'), ...files].join(':');
  const chosen = name === undefined ? [] : ['--context', name];
  // With --flatten, kubectl puts the contents of the files in the place of their paths.
  const view = ['config', 'view', '--raw', '--minify', '--flatten', '--output', 'json', ...chosen];
  const { stdout } = await promisify(execFile)(kubectl.path, view, { env: { ...process.env } });
  const theirs = JSON.parse(stdout);
  const [their, login] = [theirs.clusters[0].cluster, theirs.users[0].user];
  const { cluster: read, user: ours, ...rest } = await readContext({ context: name });
  const { context: chosenContext } = theirs.contexts[0];
  expect(rest).toEqual({ name: theirs.contexts[0].name, namespace: chosenContext.namespace ?? 'default' });
  const data = (file: string | undefined) => file && readFileSync(file, 'base64');
  expect([read.server, data(read.authorityFile), read.serverName]).toEqual([
    their.server,
    their['certificate-authority-data'],
    their['tls-server-name'],
  ]);
  expect([ours.token, data(ours.certificateFile), data(ours.keyFile)]).toEqual([
    login.token,
    login['client-certificate-data'],
    login['client-key-data'],
  ]);
  expect(ours.impersonation).toEqual(login.as === undefined ? {} : { 'impersonate-user': login.as });
  expect(ours.exec?.args).toEqual(login.exec?.args);
});

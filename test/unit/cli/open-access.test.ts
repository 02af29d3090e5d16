import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AccessOptions } from '../../../cli/connection/index.ts';
import { openAccess } from '../../../cli/connection/open-access.ts';
import { writeKubeconfig } from '../../../cli/kubeconfig/write-kubeconfig.ts';
import type { ExecEntry } from '../../../lib/login/index.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-access-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const TOKEN = JSON.stringify({ kind: 'ExecCredential', status: { token: 'k8s-aws-v1.x' } });

/** A kubeconfig whose exec entry runs `script`. */
async function kubeconfigFor(
  server: string,
  script: string,
  command = process.execPath,
  env: ExecEntry['env'] = [],
): Promise<string> {
  const file = join(directory, 'kubeconfig');
  const login = {
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    interactiveMode: 'Never',
    command,
    args: ['-e', script],
    provideClusterInfo: false,
    env,
  };
  await writeKubeconfig(file, server, { login, force: true });
  return file;
}

const headersOf = async (options: AccessOptions, anonymous = false) =>
  (await openAccess(options).credentials(anonymous)).headers ?? {};

describe('Access with a kubeconfig that logs in', () => {
  it('The login command of a kubeconfig runs, and its token is sent', async () => {
    const kubeconfig = await kubeconfigFor('https://winnow.example/v1/', `console.log('${TOKEN}')`);
    expect(openAccess({ kubeconfig }).url).toBe('https://winnow.example/v1');
    expect(await headersOf({ kubeconfig })).toEqual({ Authorization: 'Bearer k8s-aws-v1.x' });
  });

  it('The login command does not run without the login', async () => {
    const kubeconfig = await kubeconfigFor('https://winnow.example', 'process.exit(1)');
    expect(await headersOf({ kubeconfig }, true)).toEqual({});
  });

  it('No token is sent over plain HTTP', async () => {
    const kubeconfig = join(directory, 'clear');
    await writeFile(
      kubeconfig,
      JSON.stringify({
        'current-context': 'c',
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
        clusters: [{ name: 'c', cluster: { server: 'http://winnow.example' } }],
        users: [{ name: 'u', user: { token: 'secret' } }],
      }),
    );
    expect(openAccess({ kubeconfig }).login).toBeUndefined();
    expect(await headersOf({ kubeconfig })).toEqual({});
  });

  it('The AWS CLI names the caller', async () => {
    const aws = join(directory, 'aws');
    await writeFile(
      aws,
      '#!/bin/sh\n[ "$1 $2" = "sts get-caller-identity" ] && echo arn:aws:iam::1:user/a\n',
    );
    await chmod(aws, 0o755);
    const env = [{ name: 'PATH', value: `${directory}:${process.env.PATH}` }];
    const kubeconfig = await kubeconfigFor('https://a', '', 'aws', env);
    expect(await openAccess({ kubeconfig }).whoAmI()).toBe('arn:aws:iam::1:user/a');
    const other = await kubeconfigFor('https://a', '');
    expect(await openAccess({ kubeconfig: other }).whoAmI()).toBeUndefined();
  });

  it('The error for a failed login command contains the output of the command', async () => {
    const kubeconfig = await kubeconfigFor('https://a', "console.error('no credentials'); process.exit(1)");
    await expect(headersOf({ kubeconfig })).rejects.toThrow(/^the login command .* failed: no credentials$/);
  });

  it('The error for a missing login command names the command', async () => {
    const kubeconfig = await kubeconfigFor('https://a', '', 'no-such-aws');
    await expect(headersOf({ kubeconfig })).rejects.toThrow('the login command no-such-aws was not found');
  });
});

describe('The certificate check of a --url', () => {
  const PEM = '-----BEGIN CERTIFICATE-----\n';
  const before = process.env.KUBECONFIG;
  const trustOf = async (url: string) => {
    const { ca, rejectUnauthorized } = await openAccess({ url }).credentials(true);
    return { ca: ca?.toString(), rejectUnauthorized: rejectUnauthorized !== false };
  };

  beforeEach(async () => {
    process.env.KUBECONFIG = join(directory, 'local');
    await writeKubeconfig(process.env.KUBECONFIG, 'https://127.0.0.1:8443', { authority: PEM, force: true });
  });

  afterEach(() => {
    if (before === undefined) {
      delete process.env.KUBECONFIG;
    } else {
      process.env.KUBECONFIG = before;
    }
  });

  it('The certificate is verified on loopback too', async () => {
    expect(await trustOf('https://127.0.0.1:9443')).toEqual({ ca: undefined, rejectUnauthorized: true });
    expect(await trustOf('https://localhost:8443')).toEqual({ ca: undefined, rejectUnauthorized: true });
  });

  it('The certificate is verified with the authority that the default kubeconfig names for its host and port', async () => {
    expect(await trustOf('https://127.0.0.1:8443/')).toEqual({ ca: PEM, rejectUnauthorized: true });
  });

  it('The certificate is verified if the default kubeconfig is missing or invalid', async () => {
    process.env.KUBECONFIG = join(directory, 'none');
    expect(await trustOf('https://127.0.0.1:8443')).toEqual({ ca: undefined, rejectUnauthorized: true });
    await writeFile(process.env.KUBECONFIG, 'a: [');
    expect(await trustOf('https://127.0.0.1:8443')).toEqual({ ca: undefined, rejectUnauthorized: true });
  });
});

describe('The error for a configuration without an endpoint', () => {
  it.each([
    [{ url: 'localhost:8080' }, '--url localhost:8080 is not a URL'],
    [
      { kubeconfig: 'nowhere' },
      'the kubeconfig nowhere does not exist: "npm start" and "bin/winnow.js kubeconfig" write one',
    ],
  ])('%j', (options, says) => {
    expect(() => openAccess(options)).toThrow(says);
  });

  it('The error names a context that is not in the kubeconfig', async () => {
    const kubeconfig = await kubeconfigFor('https://a', '');
    expect(() => openAccess({ kubeconfig, context: 'work' })).toThrow('has no cluster for the context work');
  });
});

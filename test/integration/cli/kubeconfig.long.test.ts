import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { writeKubeconfig } from '../../../cli/kubeconfig/index.ts';
import { LAUNCHER, type Run, run, winnowWith } from '../../support/service/run-cli.ts';
import { startTamperingProxy } from '../../support/service/tampering-proxy.ts';

const OUTPUTS = {
  ApiUrl: 'https://abc123.execute-api.eu-west-1.amazonaws.com/v1/',
  ClusterId: 'winnow-1',
  TokenCommand: 'aws --region eu-west-1 eks get-token --cluster-name winnow-1',
};
const OTHER = 'apiVersion: v1\nkind: Config\nclusters: [{ name: work, cluster: { server: https://work } }]\n';
const FORMER = `apiVersion: v1
kind: Config
clusters: [{ name: winnow, cluster: { server: 'http://127.0.0.1:8080' } }]
users: [{ name: local, user: {} }]
contexts: [{ name: winnow, context: { cluster: winnow, user: local } }]
current-context: winnow
`;

let directory: string;
let file: string;
let outputs: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-kubeconfig-'));
  [file, outputs] = [join(directory, 'kubeconfig'), join(directory, 'outputs.json')];
  await writeFile(outputs, JSON.stringify({ Winnow: OUTPUTS }));
});

beforeEach(() => rm(file, { force: true }));
afterAll(() => rm(directory, { recursive: true, force: true }));

const kubeconfig = (parameters: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Run> =>
  winnowWith(
    { AWS_ENDPOINT_URL: undefined, AWS_PROFILE: undefined, ...env },
    ...['kubeconfig', '--kubeconfig', file, ...parameters],
  );

async function written(path = file) {
  const { clusters, users } = parse(await readFile(path, 'utf8'));
  return { cluster: clusters[0].cluster, user: users[0].user };
}

/** The names of the clusters, users and contexts in a kubeconfig, and its current context. */
async function names(path = file) {
  const { clusters, users, contexts, ...others } = parse(await readFile(path, 'utf8'));
  const all = [...clusters, ...users, ...contexts].map(({ name }: { name: string }) => name);
  return [...all, others['current-context']];
}

describe('winnow kubeconfig for a deployed stack', () => {
  it('the kubeconfig of a stack logs in with aws eks get-token', async () => {
    const { code, out } = await kubeconfig(['--outputs', outputs], { AWS_PROFILE: 'dev' });
    expect(code).toBe(0);
    expect(out).toContain(`export KUBECONFIG=${file}`);
    const { cluster, user } = await written();
    expect(cluster).toEqual({ server: 'https://abc123.execute-api.eu-west-1.amazonaws.com/v1' });
    expect([user.exec.command, ...user.exec.args].join(' ')).toBe(
      'aws --region eu-west-1 eks get-token --cluster-name winnow-1 --output json',
    );
    expect(user.exec.env).toContainEqual({ name: 'AWS_PROFILE', value: 'dev' });
  });

  it('the kubeconfig of a stack on an emulator uses the endpoint of the emulator', async () => {
    await kubeconfig(['--outputs', outputs], { AWS_ENDPOINT_URL: 'https://127.0.0.1:4566' });
    expect((await written()).cluster).toEqual({
      server: 'https://127.0.0.1:4566/_aws/execute-api/abc123/v1',
      'insecure-skip-tls-verify': true,
    });
  });

  it('winnow kubeconfig prints the written URL, which is HTTPS for a login with any endpoint', async () => {
    const { out } = await kubeconfig(['--outputs', outputs], { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' });
    const { server } = (await written()).cluster;
    expect(server).toBe('https://127.0.0.1:4566/_aws/execute-api/abc123/v1');
    expect(out).toContain(`Winnow is at ${server}.`);
  });

  it('winnow kubeconfig --stack reads the outputs with the AWS CLI', async () => {
    const Outputs = Object.entries(OUTPUTS).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
    const aws = join(directory, 'aws');
    const expected = 'cloudformation describe-stacks --stack-name Mine --output json';
    const answer = JSON.stringify({ Stacks: [{ Outputs }] });
    await writeFile(
      aws,
      `#!/bin/sh\n[ "$*" = "${expected}" ] || { echo "no such stack" >&2; exit 254; }\necho '${answer}'\n`,
    );
    await chmod(aws, 0o755);
    const PATH = `${directory}:${process.env.PATH}`;
    expect((await kubeconfig(['--stack', 'Mine'], { PATH })).code).toBe(0);
    expect((await written()).cluster.server).toBe('https://abc123.execute-api.eu-west-1.amazonaws.com/v1');
    expect(await kubeconfig(['--stack', 'Other'], { PATH })).toMatchObject({
      code: 1,
      errors: 'no such stack\n',
    });
  });

  it.each([
    ['no outputs', [], 'nowhere.json does not exist: "cdk deploy --outputs-file nowhere.json" writes it'],
    ['the outputs of two stacks', [{ A: OUTPUTS, B: OUTPUTS }], 'must hold the outputs of exactly one stack'],
    [
      'the outputs of something else',
      [{ A: { Bucket: 'b' } }],
      'these are not the outputs of a Winnow stack: Bucket',
    ],
  ])('winnow kubeconfig refuses %s', async (_what, [content], says) => {
    const named = content === undefined ? 'nowhere.json' : join(directory, 'wrong.json');
    if (content !== undefined) await writeFile(named, JSON.stringify(content));
    const { code, errors } = await kubeconfig(['--outputs', named]);
    expect(code).toBe(1);
    expect(errors).toContain(says);
  });
});

describe('winnow kubeconfig for a local Winnow', () => {
  it('the kubeconfig of a local Winnow has its URL and no login', async () => {
    const local = await startTamperingProxy();
    local.tamper = () => ({ status: 200, body: '{"gitVersion":"v1.33.2+winnow"}' });
    expect((await kubeconfig(['--local', `${local.url}/`])).code).toBe(0);
    await local.stop();
    expect(await written()).toEqual({
      cluster: { server: local.url, 'insecure-skip-tls-verify': true },
      user: {},
    });
    const { code, errors } = await kubeconfig(['--local', local.url]);
    expect({ code, errors }).toEqual({
      code: 1,
      errors: `no Winnow answers at ${local.url}: "npm start" starts one, and prints its URL\n`,
    });
  });
});

describe('the names in a kubeconfig', () => {
  it('the kubeconfig of a stack names cluster, user and context after stack and region, in a separate file', async () => {
    const { code, out } = await run(process.execPath, [LAUNCHER, 'kubeconfig', '--outputs', outputs], {
      cwd: directory,
      env: { AWS_ENDPOINT_URL: undefined, AWS_PROFILE: undefined },
    });
    expect([code, out]).toEqual([0, expect.stringContaining('.winnow/kubeconfig-Winnow-eu-west-1\n')]);
    const target = 'winnow-Winnow-eu-west-1';
    expect(await names(join(directory, '.winnow/kubeconfig-Winnow-eu-west-1'))).toEqual([
      target,
      target,
      target,
      target,
    ]);
  });

  it('the kubeconfig of a local server names them after its port', async () => {
    await writeKubeconfig(file, 'http://127.0.0.1:8081');
    const local = 'winnow-local-8081';
    expect(await names()).toEqual([local, local, local, local]);
  });
});

describe('winnow kubeconfig with an existing file', () => {
  it('winnow kubeconfig reports on standard error that it replaces the kubeconfig of another server', async () => {
    await writeKubeconfig(file, 'http://127.0.0.1:8081');
    const first = await kubeconfig(['--outputs', outputs]);
    expect(first).toMatchObject({
      code: 0,
      errors: `Replaced ${file}: it described http://127.0.0.1:8081 (context winnow-local-8081).\n`,
    });
    expect(await kubeconfig(['--outputs', outputs])).toMatchObject({ code: 0, errors: '' });
  });

  it('winnow kubeconfig replaces a kubeconfig that an earlier release wrote', async () => {
    await writeFile(file, FORMER);
    expect(await kubeconfig(['--outputs', outputs])).toMatchObject({
      code: 0,
      errors: `Replaced ${file}: it described http://127.0.0.1:8080 (context winnow).\n`,
    });
  });

  it('winnow kubeconfig replaces its own kubeconfig', async () => {
    await kubeconfig(['--outputs', outputs], { AWS_PROFILE: 'before' });
    expect((await kubeconfig(['--outputs', outputs])).code).toBe(0);
    expect(await readFile(file, 'utf8')).not.toContain('before');
  });

  it('winnow kubeconfig keeps a foreign kubeconfig without --force', async () => {
    await writeFile(file, OTHER);
    const { code, errors } = await kubeconfig(['--outputs', outputs]);
    expect(code).toBe(1);
    expect(errors).toContain(`winnow did not write the kubeconfig ${file} and does not change it`);
    expect(await readFile(file, 'utf8')).toBe(OTHER);
    expect((await kubeconfig(['--outputs', outputs, '--force'])).code).toBe(0);
    expect((await written()).cluster.server).toContain('abc123');
  });

  it('winnow kubeconfig keeps a kubeconfig that a user has extended', async () => {
    await kubeconfig(['--outputs', outputs]);
    const more = (await readFile(file, 'utf8')).replace(
      'clusters:',
      'clusters:\n  - { name: work, cluster: {} }',
    );
    await writeFile(file, more);
    expect((await kubeconfig(['--outputs', outputs])).code).toBe(1);
    expect(await readFile(file, 'utf8')).toBe(more);
  });
});

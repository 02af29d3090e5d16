import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { winnow } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';

const POLICIES = join(import.meta.dirname, '../../../examples/policies');
const ROOT = '/apis/admissionregistration.k8s.io/v1';

let service: Service;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-rules-'));
  service = await startService();
  await service.http.post('/api/v1/namespaces', { metadata: { name: 'shop' } });
  await deployment('web', { team: 'shop' }, 12);
  await deployment('old', {}, 1);
  const pod = { spec: { containers: [{ name: 'a', image: 'b' }] } };
  for (const environment of ['qa', 'moon']) {
    const metadata = { name: environment, labels: { environment } };
    await service.http.post('/api/v1/namespaces/shop/pods', { metadata, ...pod });
  }
  const data = { environments: 'production,qa' };
  await service.http.post('/api/v1/namespaces/shop/configmaps', { metadata: { name: 'environments' }, data });
});

afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

function deployment(name: string, labels: Record<string, string>, replicas: number) {
  const template = {
    metadata: { labels: { app: name } },
    spec: { containers: [{ name: 'a', image: 'b' }] },
  };
  return service.http.post('/apis/apps/v1/namespaces/shop/deployments', {
    metadata: { name, labels },
    spec: { replicas, selector: { matchLabels: { app: name } }, template },
  });
}

const rules = (...parameters: string[]) => winnow('rules', ...parameters, '--url', service.winnow.url);
const tryExample = (example: string, ...parameters: string[]) =>
  rules('--try', '-f', join(POLICIES, example), ...parameters);
const columns = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {3,}/));

describe('winnow rules', () => {
  it('winnow rules says so if no rule decides about writes', async () => {
    await expect(rules()).resolves.toMatchObject({
      code: 0,
      out: '',
      errors: 'No admission policy and no webhook decides about writes.\n',
    });
  });

  it('winnow rules lists policies with their bindings, and marks a policy without one', async () => {
    const text = await readFile(join(POLICIES, 'limited-replicas.yaml'), 'utf8');
    const [policy, binding] = parseAllDocuments(text).map((document) => document.toJS());
    await service.http.post(`${ROOT}/validatingadmissionpolicies`, policy);
    await service.http.post(`${ROOT}/validatingadmissionpolicybindings`, binding);
    const metadata = { name: 'unbound' };
    await service.http.post(`${ROOT}/validatingadmissionpolicies`, { ...policy, metadata });
    const labels = await readFile(join(POLICIES, 'default-labels.yaml'), 'utf8');
    const [mutating, bound] = parseAllDocuments(labels).map((document) => document.toJS());
    await service.http.post(`${ROOT}/mutatingadmissionpolicies`, mutating);
    await service.http.post(`${ROOT}/mutatingadmissionpolicybindings`, bound);
    const { code, out } = await rules();
    const matches =
      'CREATE,UPDATE deployments.apps, deployments/scale.apps, statefulsets.apps, statefulsets/scale.apps';
    const since = expect.stringMatching(/^\d+s$/);
    expect(columns(out)).toEqual([
      ['RULE', 'BINDING', 'ACTION', 'MATCHES', 'SINCE'],
      ['mutating policy/default-labels', 'default-labels', 'change', 'CREATE deployments.apps', since],
      ['policy/limited-replicas', 'limited-replicas', 'Warn,Audit', matches, since],
      ['policy/unbound', '-', 'none: no binding', matches, since],
    ]);
    expect(code).toBe(0);
  });

  it('winnow rules refuses options of a trial without --try', async () => {
    await expect(rules('-l', 'a=b')).resolves.toMatchObject({
      code: 1,
      errors: expect.stringContaining('--selector needs --try'),
    });
  });
});

describe('winnow rules --try', () => {
  it('winnow rules --try names the writes that would be refused, and exits with 1', async () => {
    const { code, out, errors } = await tryExample('required-labels.yaml');
    const why =
      "ValidatingAdmissionPolicy 'required-labels' with binding 'required-labels' denied request: the label team is missing; set it to the name of your team";
    expect(columns(out)).toEqual([
      ['RESULT', 'OBJECT', 'OPERATION', 'WHY'],
      ['refused', 'deployments/shop/old', 'CREATE,UPDATE', why],
    ]);
    expect(errors).toMatch(
      /^Of 2 objects, 1 would be refused to local \(groups .*\)\. Evaluated: deployments at resourceVersion \d+\.\n$/,
    );
    expect(code).toBe(1);
  });

  it('winnow rules --try exits with 0 where policies only warn', async () => {
    const { code, out } = await tryExample('limited-replicas.yaml');
    const why = expect.stringContaining('12 replicas are more than the ten that a team may use');
    expect(columns(out).slice(1)).toEqual([['warned', 'deployments/shop/web', 'CREATE,UPDATE', why]]);
    expect(code).toBe(0);
  });

  it('winnow rules --try says what mutating policies would change, before others decide', async () => {
    const { code, out, errors } = await tryExample('default-labels.yaml');
    expect(columns(out).slice(1)).toEqual([
      ['changed', 'deployments/shop/old', 'CREATE', 'add /metadata/labels'],
    ]);
    expect([code, errors]).toEqual([0, expect.stringContaining('Of 2 objects, 0 would be refused')]);
    const both = join(directory, 'both.yaml');
    const texts = await Promise.all(
      ['default-labels.yaml', 'required-labels.yaml'].map((name) => readFile(join(POLICIES, name), 'utf8')),
    );
    await writeFile(both, texts.join('\n---\n'));
    const tried = await rules('--try', '-f', both);
    expect(columns(tried.out).slice(1)).toEqual([
      ['changed', 'deployments/shop/old', 'CREATE', 'add /metadata/labels'],
      ['refused', 'deployments/shop/old', 'UPDATE', expect.stringContaining('the label team is missing')],
    ]);
  });

  it('winnow rules --try names a write that a mutating policy would refuse', async () => {
    const policy = parseAllDocuments(
      await readFile(join(POLICIES, 'default-labels.yaml'), 'utf8'),
    )[0]?.toJS();
    policy.spec.mutations[0].applyConfiguration.expression = 'Object{spec: Object.spec{selector: {}}}';
    const file = join(directory, 'mutating.json');
    await writeFile(file, JSON.stringify(policy));
    const { code, out } = await rules('--try', '-f', file, '-l', '!team');
    const why = expect.stringContaining(
      "policy 'default-labels' with binding '(everywhere)' denied request: error applying patch",
    );
    expect([code, columns(out).slice(1)]).toEqual([1, [['refused', 'deployments/shop/old', 'CREATE', why]]]);
  });

  it('winnow rules --try reads the parameters of a policy', async () => {
    const { out } = await tryExample('values-from-a-configmap.yaml', '-n', 'shop');
    const why = expect.stringContaining('the label environment is "moon"; it must be one of production, qa');
    expect(columns(out).slice(1)).toEqual([['refused', 'pods/shop/moon', 'CREATE,UPDATE', why]]);
  });

  it('winnow rules --try evaluates only the selected objects', async () => {
    await expect(tryExample('values-from-a-configmap.yaml', '-l', 'environment=qa')).resolves.toMatchObject({
      code: 0,
      out: '',
      errors: expect.stringContaining('Of 1 object, 0 would be refused'),
    });
  });

  it('winnow rules --try asks the server about the access that an expression checks', async () => {
    const policy = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'may-delete' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['configmaps'] },
          ],
        },
        validations: [
          {
            expression:
              "authorizer.group('').resource('configmaps').namespace('shop').check('delete').allowed()",
            message: 'no right to delete',
          },
        ],
      },
    };
    const file = join(directory, 'policy.json');
    await writeFile(file, JSON.stringify(policy));
    await expect(rules('--try', '-f', file)).resolves.toMatchObject({ code: 0, out: '' });
    const asAnn = await rules('--try', '-f', file, '--as', 'ann', '--as-group', 'dev', '-n', 'shop');
    expect(columns(asAnn.out).slice(1)).toEqual([
      ['refused', 'configmaps/shop/environments', 'UPDATE', expect.stringContaining('no right to delete')],
    ]);
    expect(asAnn.errors).toContain('refused to ann (groups dev, system:authenticated)');
  });

  it.each([
    [[], '--try needs -f FILE'],
    [['-f', 'missing.yaml'], 'missing.yaml does not exist'],
    [['-f', join(POLICIES, '../tally.yaml')], 'holds an object of kind Tally'],
  ])('winnow rules --try explains wrong arguments: %s', async (parameters, message) => {
    await expect(rules('--try', ...parameters)).resolves.toMatchObject({
      code: 1,
      errors: expect.stringContaining(message),
    });
  });
});

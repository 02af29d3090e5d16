import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const TIMEOUT = 120_000;
const MAIN = join(import.meta.dirname, 'main.ts');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-crds-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function definition(plural: string, kind: string, rule: string): object {
  const count = { type: 'integer', 'x-kubernetes-validations': [{ rule }] };
  const openAPIV3Schema = { type: 'object', properties: { count } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      names: { plural, kind },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function sample(kind: string, count: number): object {
  return { apiVersion: 'example.com/v1', kind, metadata: { name: `with-${count}` }, count };
}

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

function write(name: string, ...lines: readonly object[]): void {
  writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

it('the command reports a missing folder, with the folder and a remedy', () => {
  expect(run(join(folder, 'none'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`there is no folder ${join(folder, 'none')}: name a folder with`),
  });
});

it(
  'the command counts equal verdicts, names each difference, and tells verdicts that no kube-apiserver gave',
  () => {
    const kube = { code: 201 };
    write(
      'crds.jsonl',
      { project: 'one', crd: definition('gauges', 'Gauge', 'self > 1'), kube },
      { project: 'two', crd: definition('meters', 'Meter', 'self > "1"'), kube },
      { project: 'two', crd: definition('clocks', 'Clock', 'self') },
    );
    write(
      'crd-samples.jsonl',
      { project: 'one', object: sample('Gauge', 2), kube },
      { project: 'one', object: sample('Gauge', 1), kube: { code: 422, message: 'failed rule' } },
    );
    const { status, stdout } = run(folder);
    expect(stdout).toMatch(/two definitions: CustomResourceDefinition clocks.example.com: Winnow refused: /);
    expect(stdout).toMatch(
      /DIFFERENT two definitions: CustomResourceDefinition meters.example.com\n {2}kube-apiserver accepted\n {2}Winnow refused: .*no matching overload/,
    );
    expect(stdout).toMatch(/^one +definitions 1\/1 {3}samples 2\/2$/m);
    expect(stdout).toMatch(/3 of 4 verdicts agree with kube-apiserver; 1 without an answer/);
    expect(status).toBe(1);
  },
  TIMEOUT,
);

it(
  'the command accepts YAML files and lets Kubernetes’ own packages judge them',
  () => {
    rmSync(join(folder, 'crds.jsonl'));
    write('gauges.yaml', definition('gauges', 'Gauge', 'self > 1'));
    write('meters.yaml', definition('meters', 'Meter', 'self > "1"'));
    const { status, stdout } = run('--go', folder);
    expect(stdout).toMatch(/2 of 2 verdicts agree with kube-apiserver$/m);
    expect(status).toBe(0);
  },
  TIMEOUT,
);

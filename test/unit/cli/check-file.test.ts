import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { checkFile } from '../../../cli/backup/check-file.ts';
import { markerLine } from '../../../cli/backup/export-line.ts';
import { plainObject } from '../../../cli/backup/plain-object.ts';

const folder = mkdtempSync(join(tmpdir(), 'winnow-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

const kind = { root: '/api/v1', apiVersion: 'v1', hasStatus: false };
const kinds = [
  { ...kind, kind: 'ConfigMap', resource: 'configmaps', namespaced: true },
  { ...kind, kind: 'Namespace', resource: 'namespaces', namespaced: false },
  {
    ...kind,
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    resource: 'customresourcedefinitions',
    namespaced: false,
  },
];
const good = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop', uid: 'u-1' } };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'fleets.example.com' },
  spec: { group: 'example.com', scope: 'Cluster', names: { kind: 'Fleet' }, versions: [{ name: 'v1' }] },
};
const fleet = { apiVersion: 'example.com/v1', kind: 'Fleet', metadata: { name: 'one' } };
const metadata = (more: object) => ({ ...good, metadata: { name: 'b', namespace: 'shop', ...more } });

let files = 0;
function check(incomplete: boolean, ...lines: readonly unknown[]) {
  files += 1;
  const path = join(folder, `${files}.jsonl`);
  const texts = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`));
  writeFileSync(path, texts.join(''));
  return checkFile(path, { kinds, incomplete });
}

it('The check accepts a whole export, and kinds that an earlier line defines', async () => {
  const begin = markerLine({ what: 'begin', format: 1, form: 'whole', from: 'here' });
  const checked = await check(false, begin, definition, fleet, good, markerLine({ what: 'end', objects: 3 }));
  expect(checked).toMatchObject({ objects: 3 });
});

it.each([
  ['{"apiVersion": "v1"\n', /^line 2: is not JSON: /],
  ['[]\n', 'line 2: must be a JSON object'],
  [{ ...good, metadata: undefined }, 'line 2: metadata: must be an object'],
  [{ ...good, apiVersion: undefined }, 'line 2: apiVersion: must be a non-empty string'],
  [{ ...good, kind: 7 }, 'line 2: kind: must be a non-empty string'],
  [metadata({ name: '' }), 'line 2: metadata.name: must be a non-empty string'],
  [metadata({ uid: 7 }), 'line 2: metadata.uid: must be a string'],
  [metadata({ uid: 'u-1' }), 'line 2: metadata.uid: an earlier line has the same uid'],
  [metadata({ labels: { a: 1 } }), 'line 2: metadata.labels[a]: must be a string'],
  [
    metadata({ ownerReferences: [{}] }),
    'line 2: metadata.ownerReferences[0].uid: must be a non-empty string',
  ],
  [metadata({ namespace: undefined }), 'line 2: metadata.namespace: is missing; a ConfigMap needs one'],
  [
    { ...metadata({}), kind: 'Namespace' },
    'line 2: metadata.namespace: is shop; a Namespace must not have one',
  ],
  [fleet, 'line 2: kind: the target has no Fleet of example.com/v1, and no earlier line defines it'],
  [{ ...definition, spec: {} }, 'line 2: spec.group: must be a string'],
  [
    markerLine({ what: 'begin', format: 9, form: 'whole', from: '' }),
    'line 2: export.format: is 9; this release supports 1',
  ],
  [markerLine({ what: 'end', objects: 2 }), 'line 2: export.objects: is 2, but the file holds 1 objects'],
])('The check refuses %j', async (line, says) => {
  await expect(check(true, good, line)).rejects.toThrow(says);
});

it('The check refuses the file of an interrupted export without --incomplete, and names that option', async () => {
  const begin = markerLine({ what: 'begin', format: 1, form: 'whole', from: 'here' });
  await expect(check(false, begin, good)).rejects.toMatchObject({
    message: expect.stringContaining('has no end marker: its export was interrupted'),
    advice: expect.stringContaining('add --incomplete'),
  });
  expect(await check(true, begin, good)).toMatchObject({ objects: 1 });
});

it('The check refuses a hand-written file without --incomplete, and names that option', async () => {
  await expect(check(false, good)).rejects.toMatchObject({
    message: expect.stringContaining('has no markers, so "winnow export" did not write it'),
    advice: expect.stringContaining('add --incomplete'),
  });
  expect(await check(true, good)).toMatchObject({ objects: 1 });
});

it('The check writes an object as its author would', () => {
  const given = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', uid: 'u', resourceVersion: '7', ownerReferences: [], labels: { a: 'b' } },
    spec: { clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1'], ports: [] },
    status: { loadBalancer: {} },
  };
  expect(plainObject(given)).toEqual({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', labels: { a: 'b' } },
    spec: { ports: [] },
  });
  expect(plainObject({ ...given, spec: { clusterIP: 'None' } }).spec).toEqual({ clusterIP: 'None' });
});

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { withFileLock } from '../../../cli/backup/file-lock.ts';
import { mapBounded } from '../../../lib/platform/index.ts';
import { eventually } from '../../support/eventually.ts';
import type { KubernetesObject } from '../../support/service/http-client.ts';
import { winnow, winnowWith } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';

const CORE = '/api/v1/namespaces/default';
const APPS = '/apis/apps/v1/namespaces/default';
const FLEETS = '/apis/example.com/v1/namespaces/default/fleets';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** A number of objects that exceeds a page of an export. */
const MANY = 520;
/** The output of an import without errors on standard error. */
const ONLY_PROGRESS = /^(\d+ .*objects (checked|imported) so far\n)*$/;

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};
const workload = { selector: { matchLabels: { app: 'web' } }, template };

let service: Service;
let folder: string;
let exported: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'winnow-backup-'));
  exported = join(folder, 'all.jsonl');
  service = await startService();
  await fill(service);
  expect(await winnow('export', exported, '--url', service.winnow.url)).toMatchObject({
    code: 0,
    errors: '',
  });
});

afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function fill({ http }: Service): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await http.post(DEFINITIONS, {
    metadata: { name: 'fleets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'fleets', singular: 'fleet', kind: 'Fleet' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  await http.post(FLEETS, {
    apiVersion: 'example.com/v1',
    kind: 'Fleet',
    metadata: { name: 'one' },
    spec: { ships: 3 },
  });
  // The owner comes after its dependents in the order of kinds and of names.
  const { body: web } = await http.post(`${APPS}/deployments`, { metadata: { name: 'web' }, spec: workload });
  const { body: set } = await http.post(`${APPS}/replicasets`, {
    metadata: { name: 'web-1', ownerReferences: [ownerOf(web)] },
    spec: workload,
  });
  await http.post(`${CORE}/pods`, {
    ...template,
    metadata: { name: 'web-1-a', labels: { app: 'web' }, ownerReferences: [ownerOf(set)] },
  });
  await http.post(`${CORE}/services`, {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  const names = Array.from({ length: MANY }, (_, at) => `c-${at}`);
  await mapBounded(names, 16, (name) =>
    http.post(`${CORE}/configmaps`, { metadata: { name, labels: { one: 'of-many' } }, data: { name } }),
  );
}

const ownerOf = ({ apiVersion, kind, metadata }: KubernetesObject) => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid,
});

/** The parts of an object that its author wrote. */
const said = ({ metadata, spec, data }: KubernetesObject) => ({
  name: metadata.name,
  labels: metadata.labels,
  spec,
  data,
});

/** The environment with the endpoint and the credentials of the table. */
const atTable = ({ awsEndpoints, dynamodbClientConfig }: Service['winnow']) => ({
  AWS_ENDPOINT_URL_DYNAMODB: awsEndpoints.dynamodb,
  AWS_REGION: dynamodbClientConfig.region,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});

const objectsIn = async (path: string) =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind !== 'List') as KubernetesObject[];

it('an export contains all objects, definitions first, each collection at one resourceVersion', async () => {
  const objects = await objectsIn(exported);
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  expect(kinds.slice(0, 3)).toEqual(['CustomResourceDefinition', 'Namespace', 'Fleet']);
  const listed = (await service.http.get(`${CORE}/configmaps?labelSelector=one=of-many`)).items;
  const found = objects.filter(({ metadata }) => metadata.labels?.one === 'of-many');
  expect(found.map(said)).toEqual(listed.map(said));
  const pages = (await readFile(exported, 'utf8'))
    .split('\n')
    .filter((line) => line.includes('/configmaps"'));
  expect(new Set(pages.map((line) => JSON.parse(line).metadata.resourceVersion)).size).toBe(1);
  expect(pages).toHaveLength(2);
});

it('an interrupted export continues at its cut, with the state of then', async () => {
  const whole = await readFile(exported);
  const firstPage = whole.toString().search(/"continue":"[^"]/);
  expect(firstPage).toBeGreaterThan(0);
  await service.http.delete(`${CORE}/configmaps/c-99`);
  for (const cut of [firstPage - 7, whole.indexOf('\n', firstPage) + 3]) {
    const path = join(folder, `cut-${cut}.jsonl`);
    await writeFile(path, whole.subarray(0, cut));
    const { code, errors } = await winnow('export', path, '--url', service.winnow.url);
    expect([code, errors]).toEqual([0, '']);
    const again = await readFile(path);
    // After a cut in the first page, the collection is exported in its state of now, and otherwise in that of then.
    const lacks = cut < firstPage ? 1 : 0;
    expect(await objectsIn(path)).toHaveLength((await objectsIn(exported)).length - lacks);
    if (lacks === 0) expect(again.equals(whole)).toBe(true);
  }
});

it('an export does not change a file of another format, and only its user can read an export', async () => {
  for (const [name, text] of Object.entries({ letter: 'Dear all', lines: 'a,b\n1,2\n' })) {
    const path = join(folder, name);
    await writeFile(path, text);
    const { code, errors } = await winnow('export', path, '--url', service.winnow.url);
    expect([code, errors]).toEqual([1, expect.stringContaining('exists and is not an export')]);
    expect(await readFile(path, 'utf8')).toBe(text);
  }
  expect((await stat(exported)).mode & 0o777).toBe(0o600);
});

it('an export continues if its first line was cut off', async () => {
  const path = join(folder, 'begun.jsonl');
  await writeFile(path, (await readFile(exported)).subarray(0, 20));
  expect(await winnow('export', path, '--url', service.winnow.url)).toMatchObject({ code: 0, errors: '' });
});

it('an export refuses to continue one of another form', async () => {
  const { code, errors } = await winnow('export', exported, '--plain', '--url', service.winnow.url);
  expect([code, errors]).toEqual([1, expect.stringContaining('is a different export: form whole')]);
});

it('an export to a complete file writes nothing and reports when it was completed', async () => {
  const before = await readFile(exported, 'utf8');
  const { code, out } = await winnow('export', exported, '--url', service.winnow.url);
  expect([code, out]).toEqual([0, expect.stringMatching(/Nothing was written: .* completed on \d{4}-/)]);
  expect(await readFile(exported, 'utf8')).toBe(before);
});

it.each(['export', 'import'])('no %s starts with a file that another one uses', async (command) => {
  const path = join(folder, 'at-once.jsonl');
  const { code, errors } = await withFileLock(path, () => winnow(command, path, '--url', service.winnow.url));
  expect([code, errors]).toEqual([1, expect.stringContaining('another export or import is using')]);
  expect(existsSync(`${path}.lock`)).toBe(false);
  expect(existsSync(path)).toBe(false);
});

it('an import into an empty cluster survives a kill, and finds owners again', async () => {
  await service.stop();
  service = await startService();
  const parameters = ['import', exported, '--url', service.winnow.url];
  const bin = join(import.meta.dirname, '../../../bin/winnow.js');
  const killed = spawn(process.execPath, [bin, ...parameters], { stdio: 'ignore' });
  const record = `${exported}.imported`;
  const lines = async () => (existsSync(record) ? (await readFile(record, 'utf8')).split('\n').length : 0);
  await eventually('half of it', async () => killed.exitCode !== null || (await lines()) > 50);
  killed.kill('SIGKILL');
  await eventually('its end', () => killed.exitCode !== null || killed.signalCode !== null);
  expect(await winnow(...parameters)).toMatchObject({
    code: 0,
    errors: expect.stringMatching(ONLY_PROGRESS),
  });
  expect(existsSync(record)).toBe(false);
  expect(existsSync(`${exported}.lock`)).toBe(false);

  const objects = await objectsIn(exported);
  const listed = (await service.http.get(`${CORE}/configmaps?labelSelector=one=of-many`)).items;
  expect(listed.map(said)).toEqual(
    objects.filter(({ metadata }) => metadata.labels?.one === 'of-many').map(said),
  );
  expect((await service.http.get(`${FLEETS}/one`)).body.spec).toEqual({ ships: 3 });
  const { body: set } = await service.http.get(`${APPS}/replicasets/web-1`);
  const { body: pod } = await service.http.get(`${CORE}/pods/web-1-a`);
  expect(pod.metadata.ownerReferences).toEqual([expect.objectContaining({ uid: set.metadata.uid })]);
  const before = objects.find(({ metadata }) => metadata.name === 'web-1');
  expect(set.metadata.uid).not.toBe(before?.metadata.uid);
});

it('an import into an empty table keeps uids and owned objects', async () => {
  await service.stop();
  service = await startService();
  const { winnow: local, http } = service;
  const table = String(local.environment.WINNOW_TABLE);
  const { code, errors } = await winnowWith(atTable(local), 'import', exported, '--table', table);
  expect([code, errors]).toEqual([0, expect.stringMatching(ONLY_PROGRESS)]);
  // When the garbage collector has deleted this orphan, it has checked all objects before it.
  const nobody = { apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: 'nobody' };
  await http.post(`${CORE}/pods`, { ...template, metadata: { name: 'orphan', ownerReferences: [nobody] } });
  await eventually('the orphan goes', async () => {
    await local.tick();
    return (await http.send('GET', `${CORE}/pods/orphan`)).status === 404;
  });
  for (const path of [`${APPS}/replicasets/web-1`, `${CORE}/pods/web-1-a`]) {
    expect([path, (await http.send('GET', path)).status]).toEqual([path, 200]);
  }
});

it('an import into a table keeps uids, and with --replace overwrites existing objects', async () => {
  const { winnow: local, http } = service;
  await http.delete(`${CORE}/pods/web-1-a`);
  await http.merge(`${CORE}/configmaps/c-1`, { data: { name: 'other' } });
  const table = String(local.environment.WINNOW_TABLE);
  const { code, errors, out } = await winnowWith(
    atTable(local),
    'import',
    exported,
    '--table',
    table,
    '--replace',
  );
  expect([code, errors]).toEqual([0, expect.stringMatching(ONLY_PROGRESS)]);
  expect(out).toContain('1 created');
  const before = (await objectsIn(exported)).find(({ metadata }) => metadata.name === 'web-1-a');
  const { body: pod } = await http.get(`${CORE}/pods/web-1-a`);
  expect(pod.metadata.uid).toBe(before?.metadata.uid);
  expect((await http.get(`${CORE}/configmaps/c-1`)).body.data).toEqual({ name: 'c-1' });
});

it('an import reports each refused line with the reason, and imports the others', async () => {
  const path = join(folder, 'refused.jsonl');
  const object = (name: string, data: unknown) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data });
  await writeFile(path, `${object('bad', { k: 1 })}\n${object('good', { k: 'v' })}\n`);
  const { code, errors } = await winnow('import', path, '--incomplete', '--url', service.winnow.url);
  expect(code).toBe(1);
  expect(errors).toMatch(/^line 1: ConfigMap default\/bad: 400 .*data/);
  expect(errors).toContain('1 objects were refused');
  expect((await service.http.get(`${CORE}/configmaps/good`)).body.data).toEqual({ k: 'v' });
});

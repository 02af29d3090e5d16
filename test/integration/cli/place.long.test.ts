import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { winnow } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';

const ROOT = join(import.meta.dirname, '../../..');
const EXAMPLES = join(ROOT, 'examples/placement');

let service: Service;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'winnow-place-'));
  service = await startService();
  for (const [name, disktype] of Object.entries({ a: 'ssd', b: 'hdd' })) {
    const status = { allocatable: { pods: '2' }, conditions: [{ type: 'Ready', status: 'True' }] };
    const node = { metadata: { name, labels: { disktype } }, status };
    const { body } = await service.http.post('/api/v1/nodes', node);
    await service.http.put(`/api/v1/nodes/${name}/status`, body);
  }
});

afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

const place = (...parameters: string[]) => winnow('place', ...parameters, '--url', service.winnow.url);
const write = async (text: string) => {
  const file = join(directory, 'object.yaml');
  await writeFile(file, text);
  return file;
};

describe('winnow place', () => {
  it('winnow place prints a line for each node, and exits with 0 if every pod has a node', async () => {
    const { code, out, errors } = await place(
      '-f',
      join(EXAMPLES, 'with-node-selector.yaml'),
      '--count',
      '2',
    );
    expect(out.split('\n').map((line) => line.split(/ {3,}/))).toEqual([
      ['NODE', 'PODS', 'SCORE', 'WHY'],
      ['a', '2', expect.stringMatching(/^\d+$/), expect.stringContaining('TaintToleration 300')],
      ['b', '-', '-', "NodeAffinity: node(s) didn't match Pod's node affinity/selector"],
      [''],
    ]);
    expect([code, errors]).toEqual([0, 'All 2 pods have a node.\n']);
  });

  it('winnow place exits with 1 and the reason if a pod has no node', async () => {
    const { code, errors } = await place('-f', join(EXAMPLES, 'with-node-selector.yaml'), '--count', '3');
    expect([code, errors]).toEqual([
      1,
      "2 of 3 pods have a node; the next pod has none: 0/2 nodes are available: 1 Too many pods, 1 node(s) didn't match Pod's node affinity/selector.\n",
    ]);
  });

  it('winnow place prints the response as JSON, for the given namespace', async () => {
    const { code, out } = await place('-f', join(EXAMPLES, 'redis-cache.yaml'), '-o', 'json', '-n', 'other');
    const { kind, spec, status } = JSON.parse(out);
    expect([code, kind, status.assigned]).toEqual([0, 'PlacementReview', [expect.stringMatching(/^[ab]$/)]]);
    expect(spec.object.metadata).toEqual({ name: 'redis-cache', namespace: 'other' });
  });

  it.each([
    ['a: [', 'is not valid YAML'],
    ['a: 1\n---\nb: 2', 'holds 2 documents'],
    ['just words', 'holds a value that is not an object'],
    ['apiVersion: v1\nkind: ConfigMap\n', 'kind: Invalid value: "ConfigMap"'],
    ['apiVersion: v1\nkind: Pod\nspec: {}\n', 'spec.containers: Required value'],
    ['apiVersion: v1\nkind: Pod\nspec: { containers: 7 }\n', 'cannot unmarshal number'],
  ])('winnow place reports the fault of %j', async (text, words) => {
    const file = await write(text);
    const { code, out, errors } = await place('-f', file);
    expect([code, out]).toEqual([1, '']);
    expect(errors).toContain(`${file}`);
    expect(errors).toContain(words);
    expect(errors).not.toContain('    at ');
  });

  it('winnow place reports a missing file', async () => {
    expect((await place('-f', join(directory, 'none.yaml'))).errors).toContain('none.yaml does not exist');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { valueAt } from '../../../lib/json/index.ts';
import { winnow } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';

const STRATEGIC = 'application/strategic-merge-patch+json';
const PODS = '/api/v1/namespaces/default/pods';

let service: Service;

beforeAll(async () => {
  service = await startService({ newestSchema: true });
  for (const [name, labels] of [
    ['web-1', { app: 'web', tier: 'front' }],
    ['web-2', { app: 'web' }],
  ] as const) {
    const spec = { containers: [{ name: 'c', image: 'nginx' }] };
    await service.http.post(PODS, { metadata: { name, labels }, spec });
  }
  await patch('web-1', { metadata: { labels: { tier: null } } });
  await patch('web-1', { spec: { containers: [{ name: 'c', image: 'nginx:2' }] } });
  await patch('web-2', { metadata: { labels: { tier: 'front' } } });
  await service.http.delete(`${PODS}/web-2?gracePeriodSeconds=0`);
});

afterAll(() => service.stop());

const patch = (name: string, body: object) =>
  service.http.ask('PATCH', `${PODS}/${name}`, { body, type: STRATEGIC });

const read = async (name: string, path: string) =>
  valueAt((await service.http.get(`${PODS}/${name}`)).body, path);

const run = (...parameters: string[]) => winnow(...parameters, '--url', service.winnow.url);

/** The type, the object and the changed fields of each line. */
async function logOf(...parameters: string[]): Promise<readonly (readonly (string | undefined)[])[]> {
  const { code, out, errors } = await run('log', ...parameters);
  expect([code, errors]).toEqual([0, '']);
  return out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/\s{2,}/))
    .map(([, , type, object, , fields]) => [type, object, fields]);
}

describe('winnow log', () => {
  it('winnow log says what happened to an object, newest first', async () => {
    expect(await logOf('pod/web-1')).toEqual([
      ['Updated', 'default/web-1', '~spec.containers[0].image=nginx:2'],
      ['Updated', 'default/web-1', '-labels.tier'],
      ['Created', 'default/web-1', undefined],
    ]);
  });

  it('winnow log --selector says which objects entered and left a set', async () => {
    expect(await logOf('pods', '-l', 'tier=front')).toEqual([
      ['Left', 'default/web-2', undefined],
      ['Entered', 'default/web-2', '+labels.tier=front'],
      ['Left', 'default/web-1', '-labels.tier'],
      ['Entered', 'default/web-1', undefined],
    ]);
  });

  it('winnow log --patch shows each change as a diff, and --output json each change on a line', async () => {
    const { out } = await run('log', 'pod/web-1', '-p');
    expect(out).toMatch(/^ {4}- {4}- image: nginx\n {4}\+ {4}- image: nginx:2$/m);
    const json = await run('log', 'pod/web-1', '-o', 'json');
    const items = json.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(items.map(({ kind, type }) => `${kind} ${type}`)).toEqual([
      'History Updated',
      'History Updated',
      'History Created',
    ]);
  });

  it('winnow log names an object that does not exist', async () => {
    const { code, errors } = await run('log', 'pod/nope');
    expect(code).toBe(1);
    expect(errors).toContain('pods "nope" not found');
  });
});

describe('winnow diff', () => {
  it('winnow diff says what entered, left and changed since a resourceVersion, with exit code 1', async () => {
    const head = await run('log', 'pod/web-1', '-o', 'json');
    const created = JSON.parse(String(head.out.trimEnd().split('\n').at(-1))).resourceVersion;
    const { code, out } = await run('diff', 'pods', '--at', String(Number(created) + 1));
    expect(code).toBe(1);
    expect(out).toContain('- default/web-2  left');
    expect(out).toContain('~ default/web-1  -labels.tier, ~spec.containers[0].image=nginx:2');
    const set = await run('diff', 'pods', '-l', 'tier=front', '--at', created);
    expect(set.out).toBe('- default/web-1  left\n');
  });

  it('winnow diff prints nothing and succeeds if nothing differs', async () => {
    expect(await run('diff', 'pods', '--at', '1s', '--to', '1s')).toEqual({ code: 0, out: '', errors: '' });
  });
});

describe('winnow undo', () => {
  it('winnow undo writes nothing without --yes, if it cannot ask', async () => {
    const { code, errors } = await run('undo', 'pod/web-1');
    expect(code).toBe(1);
    expect(errors).toContain('-    - image: nginx:2');
    expect(errors).toContain('add --yes to write without a question');
    expect(await read('web-1', 'spec.containers')).toMatchObject([{ image: 'nginx:2' }]);
  });

  it('winnow undo restores the state at a resourceVersion, and by default the one before the last change', async () => {
    await run('undo', 'pod/web-1', '--yes');
    expect(await read('web-1', 'spec.containers')).toMatchObject([{ image: 'nginx' }]);
    const log = await run('log', 'pod/web-1', '-o', 'json');
    const created = JSON.parse(String(log.out.trimEnd().split('\n').at(-1))).resourceVersion;
    const { code, out } = await run('undo', 'pod/web-1', '--to', created, '--yes');
    expect([code, out.replace(/\d+$/m, 'N')]).toEqual([0, 'pod/web-1 restored, now at resourceVersion N\n']);
    expect(await read('web-1', 'metadata.labels')).toEqual({ app: 'web', tier: 'front' });
  });

  it('winnow undo creates a deleted object anew', async () => {
    const { code, out } = await run('undo', 'pod/web-2', '--yes');
    expect([code, out.replace(/\d+$/m, 'N')]).toEqual([
      0,
      'pod/web-2 created anew, now at resourceVersion N\n',
    ]);
    expect(await read('web-2', 'metadata.labels')).toEqual({ app: 'web', tier: 'front' });
  });
});

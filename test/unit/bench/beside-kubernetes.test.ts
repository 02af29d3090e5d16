import { describe, expect, it } from '@jest/globals';
import { parseSelector } from '../../../lib/selectors/index.ts';
import { labelsOf, podOf, type Stage, stagesOf } from '../../bench/beside-kubernetes/collection.ts';
import { countsIn, lineOf, ratiosOf, reaches, textOf } from '../../bench/beside-kubernetes/comparison.ts';
import { cpuOf, descendantsOf, parseStat } from '../../bench/beside-kubernetes/cpu-time.ts';
import { listsOf } from '../../bench/beside-kubernetes/lists.ts';
import { folderOf, sharesOf } from '../../bench/beside-kubernetes/profile/shares.ts';
import { figuresOf } from '../../bench/beside-kubernetes/turns.ts';
import { verbsOf } from '../../bench/beside-kubernetes/verbs.ts';

describe('CPU time of processes', () => {
  const STAT = '42 (a (b) c) S 7 42 42 0 -1 4194560 900 0 0 0 150 25 0 0 20 0 11 0 300';

  it('The name of a program may contain parentheses and spaces', () => {
    expect(parseStat(STAT)).toEqual({ parent: 7, cpu: 1_750 });
  });

  it('The descendants of a process include those of its children', () => {
    const parents = new Map([
      [2, 1],
      [3, 2],
      [4, 3],
      [5, 1],
      [6, 5],
    ]);
    expect(descendantsOf(2, parents)).toEqual([3, 4]);
    expect(descendantsOf(6, parents)).toEqual([]);
  });

  it('The CPU time of a running process grows', () => {
    const before = cpuOf([process.pid]);
    for (const begin = process.cpuUsage(); process.cpuUsage(begin).user < 50_000; );
    expect(cpuOf([process.pid])).toBeGreaterThan(before);
  });

  it('A process that ended fails the measurement', () => {
    expect(() => cpuOf([2 ** 30])).toThrow('ended while');
  });
});

describe('The collection', () => {
  const stages = stagesOf([1_000, 10_000]);
  const objects = stages.flatMap((stage) =>
    Array.from({ length: stage.to - stage.from }, (_, at) => labelsOf(stage.from + at, stage)),
  );

  it('Each size begins where the one before ends', () => {
    expect(stages).toEqual([
      { from: 0, to: 1_000 },
      { from: 1_000, to: 10_000 },
    ]);
    expect(() => stagesOf([10_000, 1_000])).toThrow('1000 or more');
  });

  it.each([1_000, 10_000])('The LISTs of %d objects match as many objects as they say', (size) => {
    for (const { path, matches } of listsOf(size)) {
      const query = new URLSearchParams(path.slice(path.indexOf('?')));
      const selector = parseSelector(query.get('labelSelector') ?? '');
      const found = objects.slice(0, size).filter((labels) => selector.matches(labels)).length;
      expect(Math.min(found, Number(query.get('limit') ?? found))).toBe(matches);
    }
  });

  it('No object matches two of the LISTs of few', () => {
    const stage: Stage = { from: 10_000, to: 50_000 };
    const labels = Array.from({ length: 40_000 }, (_, at) => labelsOf(10_000 + at, stage));
    expect(labels.filter(({ ten }) => ten === 's50000')).toHaveLength(10);
    expect(labels.filter(({ ninety }) => ninety === 's50000')).toHaveLength(90);
    expect(labels.filter(({ ten, ninety }) => ten !== undefined && ninety !== undefined)).toEqual([]);
  });

  it('A created pod has no fields that only a server sets', () => {
    expect(podOf('web', { app: 'a' })).toMatchObject({ metadata: { name: 'web', labels: { app: 'a' } } });
    expect(Object.keys(podOf('web', {}))).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
  });
});

describe('The comparison', () => {
  const figures = (p50: number, cpu: number) => ({ p50, p99: p50 * 2, cpu });

  it('Figures are those of the requests of all turns, and CPU time is their mean', () => {
    const turns = [
      { waits: [1, 3], cpu: 10 },
      { waits: [2, 100], cpu: 30 },
    ];
    expect(figuresOf(turns)).toEqual({ p50: 2, p99: 100, cpu: 10 });
  });

  it('A ratio below 1 means that Winnow takes less', () => {
    expect(ratiosOf({ ours: figures(1, 8), theirs: figures(2, 4) })).toEqual({ p50: 0.5, cpu: 2 });
  });

  it.each([
    [{ p50: 3 }, { p50: 3, cpu: 99 }, true],
    [{ p50: 3 }, { p50: 3.01, cpu: 0 }, false],
    [{ cpu: 2.5 }, { p50: 99, cpu: 2.5 }, true],
    [{ p50: 2, cpu: 2 }, { p50: 1, cpu: 2.1 }, false],
    [{ p50: 1, cpu: 1, ahead: true }, { p50: 1, cpu: 0.5 }, false],
    [{ p50: 1, cpu: 1, ahead: true }, { p50: 0.99, cpu: 0.99 }, true],
  ] as const)('The bar %j and the ratios %j: reached is %s', (bar, ratios, reached) => {
    expect(reaches(bar, ratios)).toBe(reached);
  });

  it('A bar says whether it may be met exactly', () => {
    expect(textOf({ p50: 2, cpu: 2 })).toBe('p50 ≤ 2, CPU ≤ 2');
    expect(textOf({ p50: 1, cpu: 1, ahead: true })).toBe('p50 < 1, CPU < 1');
  });

  it('A row says whether its bar is reached, and nothing about a bar that it lacks', () => {
    const pair = { ours: figures(8, 8), theirs: figures(2, 4) };
    expect(lineOf({ what: 'a', ...pair })).not.toHaveProperty('reached');
    expect(lineOf({ what: 'a', ...pair, bar: { p50: 3 } })).toMatchObject({ 'p50 ratio': 4, reached: false });
    expect(lineOf({ what: 'a', ...pair, bar: { p50: 4 } })).toMatchObject({ bar: 'p50 ≤ 4', reached: true });
  });

  it('A LIST of few has a bar from 5,000 objects on, and a large LIST is asked up to 10,000', () => {
    const bars = (size: number) => listsOf(size).map(({ name, bar }) => [name, bar && textOf(bar)]);
    expect(bars(1_000)[1]).toEqual(['LIST 10 of 1,000', undefined]);
    expect(bars(10_000)[1]).toEqual(['LIST 10 of 10,000', 'p50 < 1, CPU < 1']);
    expect(bars(10_000)[3]).toEqual(['LIST 9,000 of 10,000', 'CPU ≤ 2.5']);
    expect(bars(50_000)).toHaveLength(4);
  });

  it('Each verb is asked by one client and by 16', () => {
    expect(verbsOf(1_000).map(({ name, bar }) => `${name}: ${textOf(bar)}`)).toEqual([
      'create: p50 ≤ 3',
      'create, 16 clients: p50 ≤ 4',
      'relabel: p50 ≤ 3',
      'relabel, 16 clients: p50 ≤ 4',
      'GET: p50 ≤ 3',
      'GET, 16 clients: p50 ≤ 4',
    ]);
  });

  it('The header of a LIST has the counts of requests and units', () => {
    expect(countsIn('access=index; rows=8; requests=4; units=5.5; pages=1')).toEqual({
      requests: 4,
      units: 5.5,
    });
    expect(() => countsIn('access=none')).toThrow('no counts');
  });
});

describe('The profile', () => {
  const node = (id: number, functionName: string, url: string, hitCount: number, ...children: number[]) => ({
    id,
    callFrame: { functionName, url, lineNumber: 0, columnNumber: 0 },
    hitCount,
    children,
  });
  const shares = (...nodes: readonly ReturnType<typeof node>[]) =>
    Object.fromEntries(sharesOf({ nodes }, ({ url }) => url.slice('file:///'.length)));

  it('A function of the engine counts as its caller, and idle time does not count', () => {
    expect(
      shares(
        node(1, '(root)', '', 0, 2, 3, 4, 6),
        node(2, '(idle)', '', 1_000),
        node(3, '(garbage collector)', '', 1),
        node(4, 'write', 'file:///lib/store/rows.ts', 1, 5),
        node(5, 'stringify', '', 1),
        node(6, 'end', 'node:_http_outgoing', 1),
      ),
    ).toEqual({
      'garbage collection': 0.25,
      'lib/store': 0.5,
      'HTTP, TLS and streams of Node': 0.25,
    });
  });

  it.each([
    ['lib/store/dynamodb/client.ts', 'lib/store'],
    ['infra/local/front-door.ts', 'infra/local'],
    ['node_modules/@smithy/core/dist-es/submodules/schema/x.js', 'SDK: marshalling'],
    ['node_modules/@smithy/signature-v4/dist-es/x.js', 'SDK: all other'],
    ['node_modules/@middy/core/index.js', '@middy/core'],
    ['node_modules/fauxqs/dist/app.js', 'fauxqs'],
  ])('The file %s belongs to %s', (file, folder) => {
    expect(folderOf(file)).toBe(folder);
  });
});

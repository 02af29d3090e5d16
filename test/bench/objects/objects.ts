import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { connect, resource } from '../../../lib/client/objects/index.ts';
import { OBJECTS_BARS } from '../bars.ts';
import { startBenched } from '../delivery/service.ts';
import type { Inputs } from '../inputs/inputs.ts';
import type { Options } from '../options.ts';
import { median, type Report, round } from '../report.ts';
import { startReplayServer } from './replay-server.ts';
import { type Bundled, bundleBytes, bundleProgram, runProgram, type Used } from './run-program.ts';

const FULL = { count: 1_000, rounds: 3, changes: 10_000 };
const QUICK = { count: 50, rounds: 1, changes: 1_000 };
const AT_ONCE = 10;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const DEFINITION = join(import.meta.dirname, '../../../examples/device-definition.yaml');

/**
 * `npm run bench -- objects`: a program with the typed client beside the same program with `@kubernetes/client-node`, and
 * a live set that follows many changes. It ends with exit code 1 above a bar.
 */
export async function benchObjects({ quick }: Options, _inputs: Inputs, report: Report): Promise<void> {
  const { count, rounds, changes } = quick ? QUICK : FULL;
  const missed: string[] = [];
  const add = (what: string, line: Readonly<Record<string, number>>, value: number, bar: number) => {
    const reached = value <= bar;
    if (!reached) missed.push(`${what} is ${value}, the bar is ${bar}`);
    report.add({ bench: 'objects', what, ...line, bar, reached });
  };
  const compare = (what: string, ours: number, theirs: number, bar: number) =>
    add(what, { ours: round(ours), theirs: round(theirs), ratio: round(ours / theirs) }, ours / theirs, bar);

  const [ours, theirs] = await Promise.all([bundleProgram('ours'), bundleProgram('theirs')]);
  compare('lines of the program', ours.lines, theirs.lines, OBJECTS_BARS.lines);
  const [size, theirSize] = [
    await bundleBytes(join(import.meta.dirname, '../../../lib/client/objects/index.ts')),
    await bundleBytes('@kubernetes/client-node'),
  ];
  compare('bundle, bytes', size, theirSize, OBJECTS_BARS.bundle);
  add('bundle of /objects, bytes', { ours: size }, size, OBJECTS_BARS.bytes);

  const used = await raceOf({ ours, theirs }, { count, rounds, report });
  const middle = (all: readonly Used[], what: 'cpu' | 'mib') => median(all.map((one) => one[what]));
  compare('CPU, ms', middle(used.ours, 'cpu'), middle(used.theirs, 'cpu'), OBJECTS_BARS.cpu);
  compare('memory, MiB', middle(used.ours, 'mib'), middle(used.theirs, 'mib'), OBJECTS_BARS.memory);

  report.progress(`objects: 10,000 objects, ${changes} changes at 1,000 a second`);
  const share = await replayed(changes);
  add('CPU of a live set, % of a core', { ours: round(share) }, share, OBJECTS_BARS.share);
  for (const one of missed) report.progress(one);
  if (missed.length > 0) process.exitCode = 1;
}

interface Race {
  readonly count: number;
  readonly rounds: number;
  readonly report: Report;
}

/** Runs both programs in turns on one service. */
async function raceOf(programs: { ours: Bundled; theirs: Bundled }, { count, rounds, report }: Race) {
  const service = await startBenched();
  const folder = await mkdtemp(join(tmpdir(), 'winnow-bench-'));
  try {
    const { url } = service.http;
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(url)));
    await service.http.post(DEFINITIONS, parse(await readFile(DEFINITION, 'utf8')));
    const used: { ours: Used[]; theirs: Used[] } = { ours: [], theirs: [] };
    for (let turn = 0; turn < rounds; turn++) {
      for (const name of ['ours', 'theirs'] as const) {
        report.progress(`objects: ${name}, round ${turn + 1} of ${rounds}`);
        const namespace = `${name}-${turn}`;
        await service.http.post('/api/v1/namespaces', { metadata: { name: namespace } });
        const environment = { WINNOW_URL: url, KUBECONFIG: kubeconfig };
        const changing: Promise<void>[] = [];
        const one = await runProgram(programs[name], [namespace, String(count)], environment, (line) => {
          if (line.startsWith('ready')) changing.push(changeAll(url, namespace, count));
        });
        await Promise.all(changing);
        const expected = [`listed ${count}`, `ready ${count}`];
        const fault = `${name} printed ${one.printed.join('; ')}`;
        if (one.printed.join() !== expected.join()) throw new Error(fault);
        used[name].push(one);
      }
    }
    return used;
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

/** Changes each device of a namespace once, ten at a time. */
async function changeAll(url: string, namespace: string, count: number): Promise<void> {
  const devices = connect({ url }).objects(resource('fleet.example/v1', 'devices'), { namespace });
  const change = (index: number) => devices.patch(`cam-${index}`, { spec: { model: 'x2' } });
  for (let from = 0; from < count; from += AT_ONCE) {
    const group = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => from + index);
    await Promise.all(group.map(change));
  }
}

function kubeconfigOf(server: string): object {
  const name = 'winnow';
  return {
    apiVersion: 'v1',
    kind: 'Config',
    // client-node refuses plain HTTP without this.
    clusters: [{ name, cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
}

/** The share of one core, in percent, that a live set of 10,000 objects takes while it follows changes. */
async function replayed(changes: number): Promise<number> {
  const server = await startReplayServer(changes);
  try {
    const program = await bundleProgram('replay');
    const { printed } = await runProgram(program, [String(changes)], { WINNOW_URL: server.url });
    const { cpu, milliseconds, objects } = JSON.parse(printed.at(-1) ?? '{}') as {
      readonly cpu: number;
      readonly milliseconds: number;
      readonly objects: number;
    };
    if (objects !== 10_000) throw new Error(`the set has ${objects} objects`);
    return (cpu / milliseconds) * 100;
  } finally {
    await server.stop();
  }
}

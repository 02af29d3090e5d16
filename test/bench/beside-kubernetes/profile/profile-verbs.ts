import { freePorts } from '../../../conformance/harness/programs.ts';
import { type Report, round } from '../../report.ts';
import { load, PODS, stagesOf } from '../collection.ts';
import { startWinnow, type WinnowSide } from '../sides.ts';
import { type Question, takeTurn, untilQuiet } from '../turns.ts';
import { creating, getting, relabelling } from '../verbs.ts';
import { OriginalFiles } from './original-files.ts';
import { Profiler } from './profiler.ts';
import { sharesOf } from './shares.ts';

const WARM = { rounds: 1, turn: 3_000, fewest: 20 };
const MEASURED = { rounds: 1, turn: 5_000, fewest: 20 };
/** The smallest part that has its own row, of the CPU time of a request. */
const LEAST = 0.02;
const DATABASE = 'the embedded database';

/** `--profile`: prints which parts of Winnow take the CPU time of each verb, with one client. */
export async function profileVerbs(sizes: readonly number[], report: Report): Promise<void> {
  const [port = 0] = await freePorts(1);
  const winnow = await startWinnow(`--inspect=127.0.0.1:${port}`);
  try {
    const stages = stagesOf(sizes);
    for (const stage of stages) await load(winnow, stage);
    await untilQuiet(winnow);
    const profiler = await Profiler.connect(port);
    const files = new OriginalFiles();
    for (const verb of verbsOf(sizes)) {
      report.progress(`beside-kubernetes, profile: ${verb.name}`);
      await takeTurn(verb, winnow, WARM);
      for (const [part, cpu, share] of await partsOf(verb, winnow, { profiler, files })) {
        const cells = { part, 'CPU, ms': round(cpu), percent: round(share * 100) };
        report.add({ bench: 'beside-kubernetes, profile', verb: verb.name, ...cells });
      }
    }
    profiler.close();
  } finally {
    await winnow.stop();
  }
}

function verbsOf(sizes: readonly number[]): readonly Question[] {
  const [first = 0] = sizes;
  const last = sizes.at(-1) ?? 0;
  const list = (matches: number, selector: string): Question => ({
    name: `LIST ${matches}`,
    clients: 1,
    ask: ({ client }) => client.ask('GET', `${PODS}?labelSelector=${encodeURIComponent(selector)}`),
  });
  const many = first * 0.9;
  return [
    { name: 'GET', clients: 1, ask: getting(last) },
    list(10, `ten=s${last}`),
    ...(sizes.length === 1 ? [list(many, 'most=yes')] : []),
    { name: 'relabel', clients: 1, ask: relabelling(last) },
    { name: 'create', clients: 1, ask: creating() },
  ];
}

/** The parts of the CPU time of one request: its name, ms, and its share. */
async function partsOf(
  verb: Question,
  winnow: WinnowSide,
  { profiler, files }: { readonly profiler: Profiler; readonly files: OriginalFiles },
): Promise<readonly (readonly [part: string, cpu: number, share: number])[]> {
  const before = { service: winnow.cpuOfService(), database: winnow.cpuOfDatabase() };
  await profiler.start();
  const { waits } = await takeTurn(verb, winnow, MEASURED);
  const profile = await profiler.stop();
  const service = (winnow.cpuOfService() - before.service) / waits.length;
  const database = (winnow.cpuOfDatabase() - before.database) / waits.length;
  const shares = [...sharesOf(profile, (frame) => files.of(frame))];
  const parts = new Map([
    [DATABASE, database],
    ...shares.map(([part, share]) => [part, share * service] as const),
  ]);
  const all = service + database;
  const large = [...parts].filter(([, cpu]) => cpu >= LEAST * all).sort(([, a], [, b]) => b - a);
  const rest = all - large.reduce((sum, [, cpu]) => sum + cpu, 0);
  return [['all', all], ...large, ['smaller parts', rest]].map(
    ([part, cpu]) => [String(part), Number(cpu), Number(cpu) / all] as const,
  );
}

/**
 * A process in which the handlers of `read` and `write` are asked, each time beside the same calls of the SDK made
 * bare. It is bundled as they are. Its arguments are the files of the two, the rounds, the calls of a round, and
 * optionally which writes alone are measured: `plain`, or `ruled` by admission policies. What it measured goes to its
 * parent, for its standard output is the functions' log.
 */
import { pathToFileURL } from 'node:url';
import { installStreaming } from '../../../infra/local/response-streaming.ts';
import { createPod, isWrite, PODS, REQUEST_CASES, refusedDeployment } from './request-case.ts';
import { type Asked, askFor, type Handlers, RequestRace, type Spent } from './request-race.ts';
import { RequestRecorder } from './request-recorder.ts';
import { createRules } from './request-rules.ts';

/** One round of one case. */
export interface RequestRound extends Asked {
  readonly name: string;
  readonly ours: Spent;
  readonly bare: Spent;
}

/** Calls before any is measured, so that all code is compiled. */
const WARM_UP = 150;
const WRITES_AT_ONCE = 8;
/** Their first writes give the label keys their slots. */
const FEW_PODS = 16;

const [read = '', write = '', rounds = '', calls = '', writes = ''] = process.argv.slice(2);
installStreaming();
const handlers: Handlers = { read: await load(read), write: await load(write) };
const pods = Array.from({ length: writes === '' ? PODS : FEW_PODS }, (_, at) => createPod(at));
const stored = [...pods, ...(writes === 'ruled' ? createRules() : [])];
for (let from = 0; from < stored.length; from += WRITES_AT_ONCE) {
  const some = stored.slice(from, from + WRITES_AT_ONCE);
  await Promise.all(some.map((event) => askFor(handlers.write, event, 201)));
}
// A run whose policies decided nothing would reach any bar.
if (writes === 'ruled') await askFor(handlers.write, refusedDeployment(), 422);
const recorder = new RequestRecorder();
recorder.install();
const cases = writes === '' ? REQUEST_CASES : REQUEST_CASES.filter(isWrite);
const races = cases.map((one) => new RequestRace(one, handlers, recorder));
for (const race of races) await race.run(WARM_UP);
for (let round = 0; round < Number(rounds); round += 1) {
  for (const race of races) {
    const { ours, bare, asked } = await race.run(Number(calls));
    process.send?.({ name: race.of.name, ours, bare, ...asked } satisfies RequestRound);
  }
}
process.disconnect();

async function load(file: string): Promise<Handlers['read']> {
  return (await import(pathToFileURL(file).href)).handler;
}

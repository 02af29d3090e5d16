/**
 * A process in which the handlers of `read` and `write` are asked, each time beside the same calls of the SDK made
 * bare. It is bundled as they are. Its arguments are the files of the two, the rounds, and the calls of a round; what
 * it measured goes to its parent, for its standard output is the functions' log.
 */
import { pathToFileURL } from 'node:url';
import { installStreaming } from '../../../infra/local/response-streaming.ts';
import { createPod, PODS, REQUEST_CASES } from './request-case.ts';
import { type Asked, askFor, type Handlers, RequestRace, type Spent } from './request-race.ts';
import { RequestRecorder } from './request-recorder.ts';

/** One round of one case. */
export interface RequestRound extends Asked {
  readonly name: string;
  readonly ours: Spent;
  readonly bare: Spent;
}

/** Calls before any is measured, so that all code is compiled. */
const WARM_UP = 150;
const PODS_AT_ONCE = 8;

const [read = '', write = '', rounds = '', calls = ''] = process.argv.slice(2);
installStreaming();
const handlers: Handlers = { read: await load(read), write: await load(write) };
for (let index = 0; index < PODS; index += PODS_AT_ONCE) {
  const some = Array.from({ length: PODS_AT_ONCE }, (_, at) => createPod(index + at));
  await Promise.all(some.map((event) => askFor(handlers.write, event, 201)));
}
const recorder = new RequestRecorder();
recorder.install();
const races = REQUEST_CASES.map((one) => new RequestRace(one, handlers, recorder));
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

import { ask } from '../ask.ts';
import { type RequestCase, WRITTEN } from './request-case.ts';
import { type RecordedRequest, type RequestRecorder, sequentialSteps } from './request-recorder.ts';
import { replay, replayOf } from './request-replay.ts';

export type Handlers = Readonly<Record<RequestCase['function'], (...given: unknown[]) => Promise<unknown>>>;

/** What requests took, one after the other, in milliseconds: CPU time of the process, and time by the clock. */
export interface Spent {
  readonly cpu: number[];
  readonly time: number[];
}

/** What one handler's call asked of each service, and how many of these requests came one after the other. */
export interface Asked {
  readonly dynamodb: number;
  readonly sqs: number;
  readonly steps: number;
}

/** One case in rounds: the handler some times, then as often the calls of the SDK that it made, bare. */
export class RequestRace {
  readonly of: RequestCase;
  readonly #handlers: Handlers;
  readonly #recorder: RequestRecorder;
  #turn = 0;

  constructor(of: RequestCase, handlers: Handlers, recorder: RequestRecorder) {
    this.of = of;
    this.#handlers = handlers;
    this.#recorder = recorder;
  }

  async run(calls: number): Promise<{ ours: Spent; bare: Spent; asked: Asked }> {
    const [ours, bare]: [Spent, Spent] = [newSpent(), newSpent()];
    const recorded: RecordedRequest[][] = [];
    for (let call = 0; call < calls; call += 1) recorded.push(await this.#handle(ours));
    const replays = recorded.map((requests) => replayOf(requests, renamed));
    for (const one of replays) await measured(bare, () => replay(one));
    this.#recorder.take();
    return { ours, bare, asked: askedBy(recorded.at(-1) ?? []) };
  }

  async #handle(spent: Spent): Promise<RecordedRequest[]> {
    const turn = this.#turn;
    this.#turn += 1;
    const before = this.of.before?.(turn);
    if (before !== undefined) await askFor(this.#handlers.write, before, 200);
    this.#recorder.take();
    const event = this.of.event(turn);
    await measured(spent, () => askFor(this.#handlers[this.of.function], event, this.of.status));
    return this.#recorder.take();
  }
}

/** @throws Error for another status. */
export async function askFor(handler: Handlers['read'], event: unknown, status: number): Promise<void> {
  const answer = (await ask(handler, event)) as { readonly statusCode?: number };
  if (answer.statusCode !== status) throw new Error(`not ${status}: ${JSON.stringify(answer)}`);
}

const newSpent = (): Spent => ({ cpu: [], time: [] });

const renamed = (body: string) => body.replaceAll(WRITTEN.ours, WRITTEN.bare);

async function measured({ cpu, time }: Spent, act: () => Promise<void>): Promise<void> {
  const [began, used] = [performance.now(), process.cpuUsage()];
  await act();
  const { user, system } = process.cpuUsage(used);
  cpu.push((user + system) / 1000);
  time.push(performance.now() - began);
}

function askedBy(requests: readonly RecordedRequest[]): Asked {
  const dynamodb = requests.filter(({ target }) => target.startsWith('DynamoDB')).length;
  return { dynamodb, sqs: requests.length - dynamodb, steps: sequentialSteps(requests) };
}

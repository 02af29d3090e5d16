import { against, EVENT_RULER_BAR_SIZE, EVENT_RULER_BARS, MEMORY_BAR, MEMORY_BAR_SIZE } from '../bars.ts';
import { expectSame } from '../compare.ts';
import type { Inputs } from '../inputs/inputs.ts';
import { SeededRandom } from '../inputs/random.ts';
import type { StreamName } from '../inputs/stream.ts';
import type { Workload } from '../inputs/workload.ts';
import { Peer, PeerError, type PeerKind } from '../peer.ts';
import type { Built, Ran } from '../peers/protocol.ts';
import { median, type Report, round } from '../report.ts';
import { winnowMatch } from '../toolchain.ts';

interface MatchCaseOptions {
  readonly workload: Workload;
  readonly subscriptions: number;
  readonly inputs: Inputs;
  readonly report: Report;
  readonly quick: boolean;
}

interface Side {
  readonly peer: Peer;
  readonly built: Built;
}

/** How long and how often: enough for a figure, or enough to see that all works. */
const FULL = { rounds: 5, warm: 4_000, milliseconds: 1_500, events: 20_000, churned: 1_000 };
const QUICK = { rounds: 3, warm: 400, milliseconds: 150, events: 4_000, churned: 100 };
/** Events that match little go by so fast that a round needs more of them. */
const MORE_EVENTS = { A: 1, B: 4, C: 1, D: 4 } as const;
/** Ours goes through all events of a round; this is only so that a fault ends. */
const OUR_MILLISECONDS = 60_000;
const NO_LIMIT = 3_600_000;

/** One workload at one size: our index beside each peer. */
export class MatchCase {
  readonly #options: MatchCaseOptions;
  readonly #effort: typeof FULL;
  readonly #title: string;

  constructor(options: MatchCaseOptions) {
    this.#options = options;
    this.#effort = options.quick ? QUICK : FULL;
    this.#title = `match ${options.workload.name}, ${options.subscriptions.toLocaleString('en')} subscriptions`;
  }

  async run(peers: readonly PeerKind[], streams: readonly StreamName[]): Promise<void> {
    for (const kind of peers) {
      if ('missing' in kind) continue;
      const running: Peer[] = [];
      try {
        await this.#compare(kind, streams, running);
      } catch (error) {
        // A peer that gives up is told like one that is missing; ours has to answer.
        if (!(error instanceof PeerError) || error.message.startsWith('winnow ')) throw error;
        this.#options.report.missing('match', `${kind.name}, ${this.#title}`, error.message);
      } finally {
        for (const peer of running) peer.stop();
      }
    }
  }

  async #compare(kind: PeerKind, streams: readonly StreamName[], running: Peer[]): Promise<void> {
    const ours = await this.#build(winnowMatch(), running);
    const theirs = await this.#build(kind, running);
    for (const stream of streams) await this.#race(ours.peer, theirs.peer, stream);
    this.#reportBuild(ours.built, theirs.built, kind.name);
    if (kind.name === 'event-ruler') await this.#churn(ours.peer, theirs.peer);
  }

  async #build(kind: PeerKind, running: Peer[]): Promise<Side> {
    if ('missing' in kind) throw new PeerError(`${kind.name} ${kind.missing}`);
    this.#options.report.progress(`${this.#title}: ${kind.name} builds`);
    const peer = new Peer(kind.name, kind.command);
    running.push(peer);
    const { inputs, workload, subscriptions } = this.#options;
    return { peer, built: await peer.build(await inputs.subscriptions(workload, subscriptions)) };
  }

  /** Ours, theirs, ours, …: each round has events that nobody has seen. */
  async #race(ours: Peer, theirs: Peer, stream: StreamName): Promise<void> {
    const { report, workload, subscriptions } = this.#options;
    await this.#load([ours, theirs], stream, 0);
    await ours.warm(this.#effort.warm);
    const { entryPoint } = await theirs.warm(this.#effort.warm);
    const rates = { ours: [] as number[], theirs: [] as number[] };
    let perEvent = 0;
    for (let part = 1; part <= this.#effort.rounds; part++) {
      await this.#load([ours, theirs], stream, part);
      const our = await ours.run(OUR_MILLISECONDS);
      const their = await theirs.run(this.#effort.milliseconds);
      perEvent = await this.#check(ours, theirs, `${this.#title}, stream ${stream}`, [our, their]);
      rates.ours.push(rate(our));
      rates.theirs.push(rate(their));
      report.progress(
        `${this.#title}, stream ${stream}, ${theirs.name}: round ${part} of ${this.#effort.rounds}`,
      );
    }
    const ratio = round(median(rates.ours) / median(rates.theirs));
    report.add({
      bench: 'match',
      workload: workload.name,
      stream,
      subscriptions,
      peer: theirs.name,
      ours: Math.round(median(rates.ours)),
      theirs: round(median(rates.theirs)),
      ratio,
      matchesPerEvent: round(perEvent),
      ...(entryPoint !== undefined && { entryPoint }),
      ...against(this.#bar(theirs.name, stream), ratio),
    });
  }

  #bar(peer: string, stream: StreamName): number | undefined {
    const counts = peer === 'event-ruler' && this.#options.subscriptions === EVENT_RULER_BAR_SIZE;
    return counts ? EVENT_RULER_BARS[stream][this.#options.workload.name] : undefined;
  }

  /** @returns matches per event */
  async #check(ours: Peer, theirs: Peer, what: string, runs: readonly Ran[]): Promise<number> {
    const events = Math.min(...runs.map((run) => run.events));
    const found = await ours.found(events);
    expectSame(`${what}, ${theirs.name}`, found, await theirs.found(events));
    const all = await ours.found(runs[0]?.events ?? events);
    return all.matches / (runs[0]?.events ?? events);
  }

  async #load(peers: readonly Peer[], stream: StreamName, part: number): Promise<void> {
    const { inputs, workload } = this.#options;
    const count = this.#effort.events * MORE_EVENTS[workload.name];
    const file = await inputs.events(workload, { stream, part, count });
    for (const peer of peers) await peer.events(file);
  }

  #reportBuild(ours: Built, theirs: Built, peer: string): void {
    const { workload, subscriptions, report } = this.#options;
    const common = { workload: workload.name, subscriptions, peer };
    report.add({ bench: 'build', ...common, ...sides(ours.milliseconds, theirs.milliseconds) });
    const bytes = sides(ours.bytes / subscriptions, theirs.bytes / subscriptions);
    const bar = peer === 'event-ruler' && subscriptions === MEMORY_BAR_SIZE ? MEMORY_BAR : undefined;
    report.add({ bench: 'memory', ...common, ...bytes, ...against(bar, bytes.ratio) });
  }

  /** What comes and goes must leave no trace. Ours has to find the same as before; what theirs finds is told. */
  async #churn(ours: Peer, theirs: Peer): Promise<void> {
    const { workload, subscriptions, report } = this.#options;
    const common = { workload: workload.name, subscriptions, peer: theirs.name };
    const ids = chooseIds(Math.min(this.#effort.churned, Math.ceil(subscriptions / 10)), subscriptions);
    await this.#load([ours, theirs], 'U', 0);
    const events = Math.min(
      (await ours.run(OUR_MILLISECONDS)).events,
      (await theirs.run(this.#effort.milliseconds)).events,
    );
    const before = await ours.found(events);
    expectSame(`${this.#title}, before the churn`, before, await theirs.found(events));
    const our = await ours.churn(ids);
    const their = await theirs.churn(ids);
    await ours.run(NO_LIMIT, events);
    expectSame(
      `${this.#title}, ours after the churn (against ours before)`,
      await ours.found(events),
      before,
    );
    report.add({ bench: 'remove', ...common, ...sides(our.remove, their.remove) });
    report.add({ bench: 'add', ...common, ...sides(our.add, their.add) });
    await theirs.run(NO_LIMIT, events);
    const after = await theirs.found(events);
    const lost = before.matches - after.matches;
    const same = lost === 0 && before.hash === after.hash;
    report.add({
      bench: 'after churn',
      ...common,
      churned: ids.length,
      events,
      matches: before.matches,
      theyLost: lost,
      theySame: same,
    });
  }
}

function rate({ events, nanoseconds }: Ran): number {
  return (events * 1e9) / nanoseconds;
}

/** For what is better when it is less. */
function sides(ours: number, theirs: number) {
  return { ours: round(ours), theirs: round(theirs), ratio: round(theirs / ours) };
}

function chooseIds(count: number, below: number): number[] {
  const random = new SeededRandom(3);
  const ids = new Set<number>();
  while (ids.size < count) ids.add(random.below(below));
  return [...ids];
}

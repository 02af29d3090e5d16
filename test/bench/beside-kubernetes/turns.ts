import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../report.ts';
import type { Side } from './sides.ts';

/** The wait after the requests of a turn, in ms, in which a server completes its work after the answers. */
const AFTER = 250;
const SECOND = 1_000;
/** The CPU time of a side without work in a second, in ms. It is 20 to 40. */
const QUIET = 80;
/** The longest wait for a quiet side, in ms. */
const PATIENCE = 600_000;

export interface Pace {
  /** The number of measured turns of each side. */
  readonly rounds: number;
  /** The length of a turn, in ms. */
  readonly turn: number;
  /** The fewest requests of a turn. */
  readonly fewest: number;
}

/** A question that both sides are asked, again and again. */
export interface Question {
  readonly name: string;
  /** The number of clients that ask at the same time; each waits for its answer. */
  readonly clients: number;
  ask(side: Side): Promise<unknown>;
}

/** What a side took in one turn. */
export interface Turn {
  /** Ms from each request to the last byte of its answer. */
  readonly waits: readonly number[];
  /** CPU ms of all processes of the side in the turn, with the wait after its requests. */
  readonly cpu: number;
}

/** Ms of one request. */
export interface Figures {
  readonly p50: number;
  readonly p99: number;
  readonly cpu: number;
}

export interface Pair {
  readonly ours: Figures;
  readonly theirs: Figures;
}

/** Asks both sides in turns. Each begins every second round. The first round is not measured: it warms both up. */
export async function takeTurns(
  question: Question,
  { ours, theirs }: { readonly ours: Side; readonly theirs: Side },
  pace: Pace,
): Promise<Pair> {
  const taken = new Map<Side, Turn[]>([
    [ours, []],
    [theirs, []],
  ]);
  for (let round = 0; round <= pace.rounds; round += 1) {
    for (const side of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
      const turn = await takeTurn(question, side, pace);
      if (round > 0) taken.get(side)?.push(turn);
    }
  }
  return { ours: figuresOf(taken.get(ours) ?? []), theirs: figuresOf(taken.get(theirs) ?? []) };
}

/** One turn of a side. The first request of each client is not measured, because it may open a connection. */
export async function takeTurn({ clients, ask }: Question, side: Side, pace: Pace): Promise<Turn> {
  const crowd = Array.from({ length: clients });
  await Promise.all(crowd.map(() => ask(side)));
  await sleep(AFTER);
  const waits: number[] = [];
  const before = side.cpu();
  const end = performance.now() + pace.turn;
  const askOn = async () => {
    while (performance.now() < end || waits.length < pace.fewest) {
      const sent = performance.now();
      await ask(side);
      waits.push(performance.now() - sent);
    }
  };
  await Promise.all(crowd.map(askOn));
  await sleep(AFTER);
  return { waits, cpu: side.cpu() - before };
}

/**
 * Waits until a side has completed its work after the answers.
 *
 * @throws {Error} it never becomes quiet.
 */
export async function untilQuiet(side: Side): Promise<void> {
  for (const end = performance.now() + PATIENCE; performance.now() < end; ) {
    const before = side.cpu();
    await sleep(SECOND);
    if (side.cpu() - before <= QUIET) return;
  }
  throw new Error(`${side.name} still works ${PATIENCE} ms after the last request`);
}

/** The percentiles of the requests of all turns, and their mean CPU time. */
export function figuresOf(turns: readonly Turn[]): Figures {
  const waits = turns.flatMap((turn) => turn.waits);
  const cpu = turns.reduce((sum, turn) => sum + turn.cpu, 0);
  return { p50: percentile(waits, 0.5), p99: percentile(waits, 0.99), cpu: cpu / waits.length };
}

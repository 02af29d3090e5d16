import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Violation } from '../../simulation/checks/index.ts';
import type { Sample } from '../draw-curves.ts';
import type { SoakClient } from '../load/soak-client.ts';
import type { SoakLoad } from '../load/soak-load.ts';
import type { SoakedService } from '../service/soaked-service.ts';

/** How much of each thing a run does. */
export interface Amounts {
  readonly kills: number;
  readonly jumps: number;
  readonly subscriptions: number;
  readonly tallies: number;
  /** Of the namespace, and of the definition, that is deleted. */
  readonly objects: number;
  /** Seconds between two kills of the phase `line`. */
  readonly restartEvery: number;
}

/** What a phase works with. The load goes on beside it. */
export interface PhaseContext {
  readonly service: SoakedService;
  readonly client: SoakClient;
  readonly load: SoakLoad;
  readonly sqs: SQSClient;
  readonly amounts: Amounts;
  /** How long a phase goes on that has no end by itself. */
  readonly seconds: number;
  /** Where it stands, in words, for the line that is said each minute. */
  progress(text: string): void;
  /** What was measured so far. */
  readonly samples: readonly Sample[];
}

/** A row of the table at the end. */
export interface PhaseReport {
  readonly done: string;
  readonly checked: string;
  readonly violations: readonly Violation[];
}

export interface Phase {
  readonly name: string;
  /** Which part of the minutes it has. */
  readonly share: number;
  run(context: PhaseContext): Promise<PhaseReport>;
}

/** Collects what a phase finds. */
export class Findings {
  readonly violations: Violation[] = [];
  readonly #check: string;

  constructor(check: string) {
    this.#check = check;
  }

  expect(isSo: boolean, message: string, ...evidence: readonly string[]): void {
    if (!isSo) this.violations.push({ check: this.#check, message, evidence });
  }
}

/** The slowest of several, in words. */
export function slowest(ms: readonly number[]): string {
  return ms.length === 0 ? 'none' : `${(Math.max(...ms) / 1_000).toFixed(1)} s`;
}

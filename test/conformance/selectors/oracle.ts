import { GoOracle } from '../harness/go-oracle.ts';
import type { Case } from './cases.ts';
import type { NodeAnswer } from './node-answer.ts';
import type { NodeCase } from './node-cases.ts';

const ORACLE = new GoOracle('selectors');

/** An implementation's answer to a case. */
export interface Answer {
  readonly refused: boolean;
  /** The message of a refusal. */
  readonly error: string;
  readonly text: string;
  readonly empty: boolean;
  readonly requirements: readonly { key: string; operator: string; values: readonly string[] }[] | null;
  readonly matches: readonly boolean[] | null;
  /** Type and text of each error, sorted. */
  readonly fieldErrors: readonly string[] | null;
  /** The messages of each rule for names. */
  readonly nameErrors: readonly (readonly string[] | null)[] | null;
}

/** Builds the program that answers with Kubernetes' own Go packages. */
export function buildOracle(): void {
  ORACLE.build();
}

export function askOracle(cases: readonly Case[]): Answer[];
export function askOracle(cases: readonly NodeCase[]): NodeAnswer[];
export function askOracle(cases: readonly (Case | NodeCase)[]): unknown[] {
  return ORACLE.ask(cases);
}

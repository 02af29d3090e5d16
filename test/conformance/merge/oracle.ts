import type { JsonObject } from '../../../lib/json/index.ts';
import { GoOracle } from '../harness/go-oracle.ts';
import type { Question } from './cases.ts';

const ORACLE = new GoOracle('merge');

/** Without a patch none could be made; with an error it did not apply. */
export interface Answer {
  readonly patch: JsonObject | null;
  readonly result: JsonObject | null;
  readonly error: string;
}

/** Builds the program that answers with Kubernetes' own Go packages. */
export function buildOracle(): void {
  ORACLE.build();
}

/** What Kubernetes makes of each question. */
export function askOracle(questions: readonly Question[]): Answer[] {
  return ORACLE.ask(questions) as Answer[];
}

import type { JsonObject } from '../../../lib/json/index.ts';
import { GoOracle } from '../harness/go-oracle.ts';
import type { Question } from './cases.ts';

const ORACLE = new GoOracle('merge');

/** Kubernetes' answer. `patch` is null if the package could make none; `error` is set if the patch did not apply. */
export interface Answer {
  readonly patch: JsonObject | null;
  readonly result: JsonObject | null;
  readonly error: string;
}

/** Builds the program that answers with Kubernetes' own Go packages. */
export function buildOracle(): void {
  ORACLE.build();
}

/** Returns Kubernetes' answer to each question. */
export function askOracle(questions: readonly Question[]): Answer[] {
  return ORACLE.ask(questions) as Answer[];
}

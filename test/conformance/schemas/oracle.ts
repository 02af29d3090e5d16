import type { JsonObject } from '../../../lib/json/index.ts';
import type { Schema } from '../../../lib/kubernetes/schemas/index.ts';
import { GoOracle } from '../harness/go-oracle.ts';

const ORACLE = new GoOracle('schemas');

export interface Question {
  readonly schema: Schema;
  readonly values: readonly JsonObject[];
}

export interface Answer {
  /** The errors that make the schema non-structural. If there are any, no object is judged. */
  readonly structural: readonly string[];
  readonly judged: readonly {
    readonly value: JsonObject;
    readonly unknown: readonly string[];
    readonly errors: readonly string[];
  }[];
}

/** Builds the program that answers with Kubernetes' own Go packages. */
export function buildOracle(): void {
  ORACLE.build();
}

export function askOracle(questions: readonly Question[]): Answer[] {
  return ORACLE.ask(questions) as Answer[];
}

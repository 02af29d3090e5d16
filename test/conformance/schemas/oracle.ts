import type { JsonObject } from '../../../lib/json/index.ts';
import type { Schema } from '../../../lib/kubernetes/schemas/index.ts';
import { GoOracle } from '../harness/go-oracle.ts';
import type { RuleQuestion } from './arbitrary-rules.ts';

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

/** The errors of a definition, and of the writes of its objects if its rules compile. */
export interface RuleAnswer {
  readonly definition: readonly string[];
  readonly objects: readonly (readonly string[])[];
}

export function askAboutRules(questions: readonly RuleQuestion[]): RuleAnswer[] {
  return ORACLE.ask(questions, 'rules') as RuleAnswer[];
}

import { GoOracle } from '../harness/go-oracle.ts';
import type { Answer, AnswerDirection } from './our-answer.ts';
import type { World } from './worlds.ts';

const ORACLE = new GoOracle('reachability');

/** The type `direction` of the oracle's questions.go. */
interface Direction {
  readonly allowed: boolean;
  readonly selectedBy: readonly string[];
  readonly rules: readonly { readonly policy: string; readonly index: number }[];
}

/** Builds the program that runs cyclonus. */
export function buildOracle(): void {
  ORACLE.build();
}

/** Returns cyclonus' answers for each connection of each world. */
export function askOracle(worlds: readonly World[]): (readonly Answer[])[] {
  const answers = ORACLE.ask(worlds) as { egress: Direction; ingress: Direction }[][];
  return answers.map((all) =>
    all.map(({ egress, ingress }) => ({ egress: directionOf(egress), ingress: directionOf(ingress) })),
  );
}

/** The comparable direction. Of several rules that allow it, the first rule of the first policy counts. */
function directionOf({ allowed, selectedBy, rules }: Direction): AnswerDirection {
  return { decision: allowed ? 'Allowed' : 'Denied', selectedBy, rule: rules[0] };
}

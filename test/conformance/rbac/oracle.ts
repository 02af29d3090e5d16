import { GoOracle } from '../harness/go-oracle.ts';
import { type Answers, spelled } from './our-answer.ts';
import type { World } from './worlds.ts';

const ORACLE = new GoOracle('rbac');

/** Builds the program that runs Kubernetes' authorizer, which takes minutes the first time. */
export function buildOracle(): void {
  ORACLE.build();
}

/** Returns Kubernetes' answers for each world. */
export function askOracle(worlds: readonly World[]): Answers[] {
  return (ORACLE.ask(worlds) as { [Said in keyof Answers]: Answers[Said] | null }[]).map((said) => ({
    decisions: said.decisions ?? [],
    rules: (said.rules ?? []).map((rules) => (rules ?? []).map(spelled)),
    escalations: said.escalations ?? [],
  }));
}

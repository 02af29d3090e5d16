import { GoOracle } from '../harness/go-oracle.ts';
import { CUSTOM_SCHEMA } from './custom-type.ts';
import type { Answer } from './our-answer.ts';
import type { Story } from './stories.ts';

const ORACLE = new GoOracle('apply');

/** Builds the program that answers with Kubernetes' own Go packages. */
export function buildOracle(): void {
  ORACLE.build('k8s.io/client-go');
}

/** Returns Kubernetes' answers to each story, one for each step. */
export function askOracle(stories: readonly Story[]): Answer[][] {
  return ORACLE.ask(stories, CUSTOM_SCHEMA, '.') as Answer[][];
}

import { writeFileSync } from 'node:fs';
import { afterAll } from '@jest/globals';
import type { MutantSwitch } from './switch.ts';

/** Tells what the test file reached. */
afterAll(() => {
  const { winnowMutants: mutants } = globalThis as unknown as { readonly winnowMutants: MutantSwitch };
  const { WINNOW_MUTANTS_MET: path } = process.env;
  if (path) writeFileSync(path, JSON.stringify({ met: mutants.met(), asked: mutants.asked }));
});

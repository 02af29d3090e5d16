import { MutantSwitch } from './switch.ts';

/** The mutant that is on is told by the environment: a test file has its own world. */
const mutants = new MutantSwitch();
const { WINNOW_MUTANT: mutant, WINNOW_MUTANT_MOST: most } = process.env;
mutants.turn(mutant === '' ? undefined : mutant, most === undefined ? undefined : Number(most));
Object.assign(globalThis, { winnowMutants: mutants });

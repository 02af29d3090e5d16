export { ALL_STEPS } from './all-steps.ts';
export { cleanUp } from './clean-up.ts';

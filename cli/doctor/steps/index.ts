/** The steps with which the doctor checks an endpoint. */
export { ALL_STEPS } from './all-steps.ts';
export { cleanUp } from './clean-up.ts';

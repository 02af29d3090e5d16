/** Programs from checked expressions, with cel-go's runtime cost. */
export { type PlanOptions, ProgramError } from './plan.ts';
export { compile, type Program } from './program.ts';

/** The validation of the literals of expressions that are written. */
export { type Literals, validate } from './validate.ts';

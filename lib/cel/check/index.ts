/** The types of expressions. */
export { checkTypes } from './checker.ts';
export { formatType } from './format-type.ts';

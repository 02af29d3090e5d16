/** The objects that a pod refers to. */
export { secretNamesOf } from './secret-names.ts';

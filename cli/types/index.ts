/** Writes the TypeScript types of a kind. */
export { addTypes } from './command.ts';

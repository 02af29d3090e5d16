/** The command `restore`. */
export { addRestore } from './command.ts';

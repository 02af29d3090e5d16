/** The command `start`. */
export { addStart } from './command.ts';

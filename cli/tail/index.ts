/** The command `tail`. */
export { addTail } from './command.ts';

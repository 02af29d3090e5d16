/** The command `upgrade`. */
export { addUpgrade } from './command.ts';

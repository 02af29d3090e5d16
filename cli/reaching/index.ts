/** The command `can-reach`. */
export { addCanReach } from './command.ts';

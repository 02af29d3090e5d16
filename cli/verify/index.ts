/** The command `verify`. */
export { addVerify } from './command.ts';

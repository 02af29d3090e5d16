/** The command `proxy`. */
export { addProxy } from './command.ts';

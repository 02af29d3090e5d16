/** The command `init`. */
export { addInit } from './command.ts';

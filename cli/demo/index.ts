/** The command `demo`. */
export { addDemo } from './command.ts';

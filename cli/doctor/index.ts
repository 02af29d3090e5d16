/** The command `doctor`. */
export { addDoctor } from './command.ts';

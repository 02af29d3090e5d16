export { addDoctor } from './command.ts';

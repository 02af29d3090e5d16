export { addTail } from './command.ts';

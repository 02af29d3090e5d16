export { addStart } from './command.ts';

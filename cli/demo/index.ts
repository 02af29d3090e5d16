export { addDemo } from './command.ts';

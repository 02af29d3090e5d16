export { addRestore } from './command.ts';

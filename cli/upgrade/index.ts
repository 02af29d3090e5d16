export { addUpgrade } from './command.ts';

export { addVerify } from './command.ts';

export { addInit } from './command.ts';

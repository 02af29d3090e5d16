export { addCanReach } from './command.ts';

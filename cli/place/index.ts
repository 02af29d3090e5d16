/** The command `place`. */
export { addPlace } from './command.ts';
export { nodeLines, type PlacementStatus } from './node-lines.ts';

export type { Contradiction } from './contradiction.ts';
export { canOverlap, equal, implies, intersect } from './relations.ts';
export { type Simplified, simplify } from './simplify.ts';

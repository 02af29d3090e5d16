export { HandleIndex, type MatchIndexOptions, type MatchIndexSize } from './handle-index.ts';
export type { Interest, MatchState, Transition } from './interest.ts';
export { MatchIndex } from './match-index.ts';
export type { HandleRange, Matches } from './matches.ts';

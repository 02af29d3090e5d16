/** Work that goes over all objects of a collection once, a stretch at a time. */
export { type CarryingKind, type SweepOptions, sweepCarriers } from './sweep-carriers.ts';

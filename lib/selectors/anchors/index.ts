export type { Anchor } from './anchor.ts';
export { anchorChoices } from './anchor-choices.ts';
export { anchorsMet } from './anchors-met.ts';

/** Label selectors as texts that the user edits. */
export { type Choice, type Completion, complete, completionAt } from './complete.ts';
export { type LabelChange, withoutKey, withRequirement } from './edit.ts';
export { judge, type Verdict } from './judge.ts';
export { type Piece, type PieceKind, pieces } from './pieces.ts';
export { quoted } from './quoted.ts';
export { valueText } from './value-text.ts';

/** Kubernetes labels and selectors. Pure: it does no input or output, and imports nothing from outside this folder. */
export {
  type Contradiction,
  canOverlap,
  equal,
  implies,
  intersect,
  type Simplified,
  simplify,
} from './algebra/index.ts';
export { type Anchor, anchorChoices, anchorsMet } from './anchors/index.ts';
export { anyOf, choicesOf } from './any-of.ts';
export {
  CompiledSelector,
  CompiledSelectors,
  InternedLabels,
  LabelSets,
  Vocabulary,
} from './compiled/index.ts';
export { type FieldError, type FieldErrorType, formatFieldError } from './field-error.ts';
export {
  everyField,
  type FieldRequirement,
  type FieldSelector,
  parseFieldSelector,
} from './field-selector.ts';
export { fromLabelSelector, fromLabels } from './label-selector.ts';
export { labelKeyErrors, labelValueErrors, validateLabels } from './label-syntax.ts';
export type { Labels } from './labels.ts';
export {
  HandleIndex,
  type HandleRange,
  type Interest,
  type Matches,
  MatchIndex,
  type MatchIndexOptions,
  type MatchIndexSize,
  type MatchState,
  type Transition,
} from './match-index/index.ts';
export { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors, patternError } from './names.ts';
export {
  fromNodeSelector,
  type NodeSelector,
  type NodeSelectorReading,
  type NodeSelectorTerm,
  type NodeView,
  readNodeSelector,
  validateNodeSelector,
  validateNodeTerm,
} from './nodes/index.ts';
export { parseSelector } from './parse-selector.ts';
export { quote } from './quote.ts';
export type { Operator, Requirement } from './requirement.ts';
export { everything, nothing, type Selector } from './selector.ts';
export { SelectorError } from './selector-error.ts';

/** Kubernetes labels and selectors. Pure: no input or output, nothing imported from outside this folder. */
export type { Contradiction } from './algebra/contradiction.ts';
export { canOverlap, equal, implies, intersect } from './algebra/relations.ts';
export { type Simplified, simplify } from './algebra/simplify.ts';
export { CompiledSelector } from './compiled/compiled-selector.ts';
export { CompiledSelectors } from './compiled/compiled-selectors.ts';
export { InternedLabels } from './compiled/interned-labels.ts';
export { LabelSets } from './compiled/label-sets.ts';
export { Vocabulary } from './compiled/vocabulary.ts';
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
export { HandleIndex, type MatchIndexOptions, type MatchIndexSize } from './match-index/handle-index.ts';
export type { Interest, MatchState, Transition } from './match-index/interest.ts';
export { MatchIndex } from './match-index/match-index.ts';
export type { HandleRange, Matches } from './match-index/matches.ts';
export { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors } from './names.ts';
export {
  fromNodeSelector,
  type NodeSelector,
  type NodeSelectorReading,
  type NodeSelectorTerm,
  type NodeView,
  readNodeSelector,
} from './nodes/node-selector.ts';
export { validateNodeSelector } from './nodes/validate-node-selector.ts';
export { parseSelector } from './parse-selector.ts';
export type { Operator, Requirement } from './requirement.ts';
export { everything, nothing, type Selector } from './selector.ts';
export { SelectorError } from './selector-error.ts';

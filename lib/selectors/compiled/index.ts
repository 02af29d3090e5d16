export { CompiledSelector } from './compiled-selector.ts';
export { CompiledSelectors } from './compiled-selectors.ts';
export { InternedLabels } from './interned-labels.ts';
export { LabelSets } from './label-sets.ts';
export { Vocabulary } from './vocabulary.ts';

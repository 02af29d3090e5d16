/** Which objects select which others, by selectors in their own bodies. Pure. */
export { carriedBy } from './carried-by.ts';
export {
  type CustomCarrier,
  customSelections,
  type DeclaredField,
  type DeclaredFields,
  readDeclaredFields,
} from './custom-selections.ts';
export {
  type Carried,
  type Carrier,
  type Considered,
  judgeSelection,
  type SelectionJudgement,
} from './judge-selection.ts';
export { isSelected, type Selection, type Subject } from './selection.ts';
export { type BuiltinCarrier, selectionsOf } from './selections-of.ts';

/** The relation between objects and those that they select, by selectors in their own bodies. Pure. */
export { carriedBy } from './carried-by.ts';
export { customSelections, readDeclaredFields } from './custom-selections.ts';
export { type Carried, type Carrier, judgeSelection } from './judge-selection.ts';
export { isSelected, type SelectableObject, type Selection } from './selection.ts';
export { selectionsOf } from './selections-of.ts';

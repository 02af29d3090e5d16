/** The carriers that select an object, and the objects that a carrier selects. Loaded when needed. */
export { getSelectedBy } from './get-selected-by.ts';
export { listSelected, watchSelected } from './list-selected.ts';
export { reviewSelection } from './review-selection.ts';

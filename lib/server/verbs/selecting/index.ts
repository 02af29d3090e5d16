/** Who selects an object, and what an object selects. Loaded when it is asked. */
export { getSelectedBy } from './get-selected-by.ts';
export { listSelected, watchSelected } from './list-selected.ts';
export { reviewSelection } from './review-selection.ts';

/** Where labels are indexed: slots of the objects' own rows, and rows of their own for the keys that have none. */
export { LabelEntries, type LabelEntry } from './label-entries.ts';
export { labelItems, slotAttributes, slotBytes } from './label-rows.ts';
export { type LabelPlace, type LabelPlaces, LabelSlots } from './label-slots.ts';

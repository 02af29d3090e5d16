/** The indexes of labels: slots in the objects' own rows, and separate rows for keys without a slot. */
export { LabelEntries, type LabelEntry } from './label-entries.ts';
export { labelItems, slotAttributes, slotBytes } from './label-rows.ts';
export { type LabelPlace, type LabelPlaces, LabelSlots } from './label-slots.ts';

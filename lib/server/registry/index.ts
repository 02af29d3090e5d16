/** Custom kinds: the existing ones, and how their objects and definitions are read and written. */
export { isAboutCustom } from './about-custom.ts';
export { carryingStore } from './carrying-store.ts';
export { CustomTypes } from './custom-types.ts';
export { type DefinitionStatuses, definitionStatuses } from './definition-statuses.ts';
export { CARRIERS, mayCarry } from './may-carry.ts';
export type { Show } from './seen.ts';
export { showOf } from './show-of.ts';
export { definitionView, definitionWarnings, subscriptionView } from './special-views.ts';
export { StaleTypeError } from './stale-type-error.ts';
export { storeWith } from './store-with.ts';
export { viewOf } from './view-of.ts';

/** The custom kinds that there are, and how their objects and their definitions are written and seen. */
export { isAboutCustom } from './about-custom.ts';
export { CustomTypes, type KnownTypes } from './custom-types.ts';
export { definitionStatuses } from './definition-statuses.ts';
export { type Seen, seenThrough } from './seen-through.ts';
export { StaleTypeError } from './stale-type-error.ts';

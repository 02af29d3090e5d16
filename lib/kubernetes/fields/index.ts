/** The fields of Kubernetes' types, as one table that is generated from its Go types. */
export { type Decoded, decodeMessage, MOST_FAULTS } from './decode-message.ts';
export type { FieldTable } from './field-table.ts';
export { inOrder } from './in-order.ts';
export { loadFields } from './load-fields.ts';
export type { Field, FieldType, Message } from './message.ts';
export { UnmarshalError } from './unmarshal-error.ts';

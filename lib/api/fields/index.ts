/** What Kubernetes' own types hold, field by field: one table, read from its Go types. */

export { canonicalQuantity, quantityNanos, quantityText } from '../../quantities/index.ts';
export { type Decoded, type DecodeOptions, decodeMessage, MOST_FAULTS } from './decode-message.ts';
export { FieldTable } from './field-table.ts';
export { inOrder } from './in-order.ts';
export { loadFields } from './load-fields.ts';
export type { Field, FieldType, MergeStrategy, Message } from './message.ts';
export { UnmarshalError } from './unmarshal-error.ts';

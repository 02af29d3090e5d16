/** Server-side apply: the managers that own each field of an object, and the result of an apply. Pure. */
export { ApplySyntaxError, ApplyTypeError } from './apply-errors.ts';
export { ConflictError } from './conflict-error.ts';
export { FieldManager } from './field-manager.ts';
export { mergeValues } from './merge-values.ts';
export { kindShape } from './message-shape.ts';
export { deducedShape, type ListShape, type MapShape, type Scalar, type Shape } from './shape.ts';
export { showShapeErrors, validateValue } from './validate-value.ts';

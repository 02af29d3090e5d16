/** Values of expressions. */
export { compare, compareTexts, isNumeric } from './compare.ts';
export { equal } from './equal.ts';
export { fromJson, withoutShape } from './json.ts';
export { ArrayList, indexOf, MutableList } from './lists.ts';
export { MutableMap } from './maps.ts';
export { lengthOf, unitAt } from './text.ts';
export {
  dateOf,
  decimalText,
  durationText,
  floorDivide,
  INT_OVERFLOW,
  parseDuration,
  parseTimestamp,
  SECOND,
  timestampOf,
  timestampText,
} from './time-text.ts';
export { typeNameOf } from './type-of.ts';
export {
  AbortedError,
  CelError,
  Duration,
  ListValue,
  MapValue,
  NO_OVERLOAD,
  NONE,
  noOverload,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

import type { Type } from './types.ts';

/**
 * What a schema says of a JSON value: how it becomes a CEL value, its type, and its largest size. `form` decides the
 * conversion as upstream's UnstructuredToVal does; `unknown` values are only compared.
 */
export interface Shape {
  readonly form: ShapeForm;
  /** The type for the checker; undefined if expressions cannot name the value. It is still compared with others. */
  readonly type: Type | undefined;
  /** True if null is a valid value, which becomes CEL's null. Otherwise null is an error when it is read. */
  readonly nullable: boolean;
  /** The smallest size of the value as JSON, in bytes. */
  readonly minBytes: number;
  /** The largest number of elements, entries, or bytes of text; undefined where the form has no size. */
  readonly maxElements: number | undefined;
  /** The shape of a list's elements or of a map's values. */
  readonly element?: Shape;
  /** The fields of an object, by their name in the JSON value. */
  readonly fields?: ReadonlyMap<string, ShapeField>;
  /** How a list compares and adds. */
  readonly listType?: 'atomic' | 'set' | 'map';
  /** The keys of a list with type `map`, by their names in JSON. */
  readonly listKeys?: readonly string[];
}

export interface ShapeField {
  /** The name in expressions: `x-y` is `x__dash__y`. Undefined if expressions cannot name the field. */
  readonly escaped: string | undefined;
  readonly shape: Shape;
}

export type ShapeForm =
  | 'int-or-string'
  | 'object'
  | 'map'
  | 'list'
  | 'string'
  | 'bytes'
  | 'duration'
  | 'date'
  | 'date-time'
  | 'double'
  | 'int'
  | 'bool'
  | 'dyn'
  | 'unknown';

import type { JsonObject } from '../../json/index.ts';

/**
 * Of a type whose objects are those of another: which, and how each is made of the other. Fields that the result's
 * type fills in by itself may be left out.
 */
export interface StoredAs {
  readonly group: string;
  readonly version: string;
  /** To be awaited before anything is made of anything; absent where there is nothing to load. */
  load?(): Promise<void>;
  /** An object of this type as it is stored. */
  encode(body: JsonObject): JsonObject;
  /** A stored object as one of this type. */
  decode(body: JsonObject): JsonObject;
}

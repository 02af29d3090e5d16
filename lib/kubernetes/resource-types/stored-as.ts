import type { JsonObject } from '../../json/index.ts';

/**
 * The stored type of a type that is another version of it, and the conversions between them. The results may omit
 * fields that their type sets by default.
 */
export interface StoredAs {
  readonly group: string;
  readonly version: string;
  /** Must be awaited before any conversion; absent if there is nothing to load. */
  load?(): Promise<void>;
  /** Converts an object of this type to the stored type. */
  encode(body: JsonObject): JsonObject;
  /** Converts a stored object to this type. */
  decode(body: JsonObject): JsonObject;
}

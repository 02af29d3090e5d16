import type { Collection, JsonObject } from '../../json/index.ts';
import type { OwnerReference } from '../owners/index.ts';
import type { CarriedSelector } from '../postings/index.ts';

/** Facts about objects that follow from their kinds, which the store does not know. */
export interface KindFacts {
  selectsOf(collection: Collection, body: JsonObject): Promise<readonly CarriedSelector[]>;
  /** Returns the reservations of an object, by its body. */
  reservesOf(collection: Collection, body: JsonObject): Promise<readonly string[]>;
  /** When the collector checks whether the object has expired, in ms since the epoch. */
  expiryOf(collection: Collection, body: JsonObject): number | undefined;
  /**
   * Returns the place of an owner that an object of the namespace names, with `name` as `nameKey` spells it.
   * Undefined if the owner's kind is not served.
   */
  ownerAt(reference: OwnerReference, namespace: string): OwnerPlace | undefined;
}

export interface OwnerPlace {
  readonly collection: Collection;
  readonly name: string;
}

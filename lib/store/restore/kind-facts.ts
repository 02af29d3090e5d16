import type { Collection, JsonObject } from '../../json/index.ts';
import type { OwnerReference } from '../owners/index.ts';
import type { CarriedSelector } from '../postings/index.ts';

/** What the kinds of objects know and the store does not. */
export interface KindFacts {
  selectsOf(collection: Collection, body: JsonObject): Promise<readonly CarriedSelector[]>;
  /** What an object has for itself alone, by its body. */
  reservesOf(collection: Collection, body: JsonObject): Promise<readonly string[]>;
  /** From when on it is to be looked whether its time is over, in ms since the epoch. */
  expiryOf(collection: Collection, body: JsonObject): number | undefined;
  /**
   * Where an owner is that an object of the namespace names, as `nameKey` spells it; undefined where its kind is not
   * served.
   */
  ownerAt(reference: OwnerReference, namespace: string): OwnerPlace | undefined;
}

export interface OwnerPlace {
  readonly collection: Collection;
  readonly name: string;
}

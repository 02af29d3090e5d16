import type { Collection } from '../../json/index.ts';
import {
  type CustomKind,
  collectionOfType,
  type ResourceType,
} from '../../kubernetes/resource-types/index.ts';
import { CARRIERS, CustomTypes, mayCarry } from '../../server/index.ts';
import type { Store } from '../../store/index.ts';
import { backfillPostings, type CarrierKind, type SweepOptions } from './backfill-postings.ts';

/** Has objects be found by their selectors that were written before these were known. Two requests where all are. */
export type CarrierSweep = (store: Store) => Promise<void>;

/** Raise it whenever a built-in kind selects by something else than before. */
const FIELD_TABLE = '1';
/** In ms: until no function of an earlier version writes any more. */
const UPGRADE = 15 * 60_000;
/** In ms: more than a request lasts that knows an earlier definition. */
const REDEFINITION = 60_000;

/** What goes over them, every minute. */
export function postingsBackfill(outside: Omit<SweepOptions, 'store'>): CarrierSweep {
  const custom = new CustomTypes(outside.clock);
  return async (store) => {
    const { types } = await custom.current(store);
    await backfillPostings({ ...outside, store }, kindsOf(types));
  };
}

function kindsOf(types: readonly ResourceType[]): ReadonlyMap<Collection, CarrierKind> {
  const builtin = [...CARRIERS].map((collection) => [collection, kindOf(collection)] as const);
  const own = types.map((type) => {
    const collection = collectionOfType(type);
    return [collection, kindOf(collection, type.custom)] as const;
  });
  return new Map([...builtin, ...own]);
}

function kindOf(collection: Collection, custom?: CustomKind): CarrierKind {
  return {
    by: custom === undefined ? FIELD_TABLE : (custom.selects ?? ''),
    wait: custom === undefined ? UPGRADE : REDEFINITION,
    selectsOf: async ({ name: { namespace }, body }) => {
      // Of a custom kind whose definition says so no more, what was known is to be forgotten.
      if (custom === undefined && !mayCarry(collection, body)) return undefined;
      const { carriedBy } = await import('../../kubernetes/carriers/index.ts');
      return carriedBy({ collection, namespace, body }, custom);
    },
  };
}

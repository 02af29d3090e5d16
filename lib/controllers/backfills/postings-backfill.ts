import type { Collection } from '../../json/index.ts';
import {
  type CustomKind,
  collectionOfType,
  type ResourceType,
} from '../../kubernetes/resource-types/index.ts';
import { CARRIERS, CustomTypes, mayCarry } from '../../server/index.ts';
import type { Store } from '../../store/index.ts';
import { backfillPostings, type CarrierKind, type SweepOptions } from './backfill-postings.ts';

/**
 * Brings the postings of existing objects up to date. If all postings are up to date, it costs two requests. Returns
 * whether they were up to date before.
 */
export type CarrierSweep = (store: Store) => Promise<boolean>;

/** The version of the selectors of built-in kinds. Raise it whenever a built-in kind selects by other fields. */
const FIELD_TABLE = '1';
/** In ms: after this time, no function of an earlier version writes any more. */
const UPGRADE = 15 * 60_000;
/** In ms: longer than any request that knows an earlier definition. */
const REDEFINITION = 60_000;

/** Creates the backfill of postings, which the schedule runs every minute. */
export function postingsBackfill(outside: Omit<SweepOptions, 'store'>): CarrierSweep {
  const custom = new CustomTypes(outside.clock);
  return async (store) => {
    const { types } = await custom.current(store);
    return backfillPostings({ ...outside, store }, kindsOf(types));
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
      // A custom kind whose definition no longer declares selectors must lose its old postings.
      if (custom === undefined && !mayCarry(collection, body)) return undefined;
      const { carriedBy } = await import('../../kubernetes/carriers/index.ts');
      return carriedBy({ collection, namespace, body }, custom);
    },
  };
}

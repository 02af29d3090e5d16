import { metadataOf } from '../../json/index.ts';
import { carriedBy } from '../../kubernetes/carriers/index.ts';
import { expiryOf } from '../../kubernetes/lifecycle/index.ts';
import { collectionOfType, targetResources } from '../../kubernetes/resource-types/index.ts';
import type { TargetResources } from '../../kubernetes/winnow/index.ts';
import type { Clock, Random } from '../../platform/index.ts';
import { type KindFacts, nameKey, type Store } from '../../store/index.ts';
import { CustomTypes, mayCarry } from '../registry/index.ts';
import { reservedBy } from './reserved-by.ts';

export interface KindFactsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** The resources, including custom kinds. */
  readonly resources: TargetResources;
}

/** Creates the facts about kinds that the store needs to write the rows that belong to an object. */
export function createKindFacts({ store, clock, random, resources }: KindFactsOptions): KindFacts {
  const types = new CustomTypes(clock);
  return {
    expiryOf,
    async selectsOf(collection, body) {
      const isCustom = targetResources.of(collection) === undefined;
      const known = isCustom ? (await types.current(store)).types : [];
      const custom = known.find((type) => collectionOfType(type) === collection)?.custom;
      if (!mayCarry(collection, body, custom)) return [];
      const { namespace = '' } = metadataOf(body);
      return carriedBy({ collection, namespace: String(namespace), body }, custom);
    },
    reservesOf: (collection, body) => reservedBy(collection, body, random),
    ownerAt({ apiVersion, kind, name }, namespace) {
      const target = resources.ofKind(apiVersion, kind);
      const place = { namespace: target?.namespaced ? namespace : '', name };
      return target && { collection: target.collection, name: nameKey(place) };
    },
  };
}

import { type Collection, collectionOf, objectAt } from '../../json/index.ts';
import type { ObjectState } from '../../store/index.ts';

/** The collection that a Subscription selects from. */
export function selectedFrom({ body }: ObjectState): Collection {
  const { group = '', resource } = objectAt(objectAt(body.spec).resource);
  return collectionOf(String(group), String(resource));
}

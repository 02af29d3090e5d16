import { type Collection, collectionOf, type ObjectState, objectAt } from '../../store/index.ts';

/** The collection that a Subscription selects from. */
export function selectedFrom({ body }: ObjectState): Collection {
  const { group = '', resource } = objectAt(objectAt(body.spec).resource);
  return collectionOf(String(group), String(resource));
}

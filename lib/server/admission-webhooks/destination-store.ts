import { type Collection, type JsonObject, jsonEquals, objectAt, objectsIn } from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { collectionOfType } from '../../kubernetes/resource-types/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';
import type { ApiOptions } from '../http/index.ts';
import { storeWith } from '../registry/index.ts';
import { invalid } from '../status/index.ts';
import { type Destinations, openCaller, readClient } from '../webhooks/index.ts';

/**
 * Wraps the store for writes of webhook configurations: each webhook names a place that Winnow may call. A webhook that
 * an update leaves where it was is not checked again.
 */
export function destinationStore(given: Store, type: ResourceType, options: ApiOptions): Store {
  const { destinations } = openCaller(options);
  const own: Collection = collectionOfType(type);
  return storeWith(given, (store) => ({
    write: (collection, name, change, options) => {
      if (collection !== own) return store.write(collection, name, change, options);
      const decide = async (current: ObjectState | undefined) => {
        const mutation = await change(current);
        if (mutation.kind !== 'put') return mutation;
        const errors = refusalsOf(mutation.body, clientsOf(current?.body), destinations);
        if (errors.length > 0) throw invalid(type, name.name, errors);
        return mutation;
      };
      return store.write(collection, name, decide, options);
    },
  }));
}

function refusalsOf(
  body: JsonObject,
  known: readonly JsonObject[],
  destinations: Destinations,
): FieldError[] {
  return clientsOf(body).flatMap((client, at): FieldError[] => {
    if (known.some((one) => jsonEquals(one, client))) return [];
    const detail = destinations.refusal(readClient(client));
    if (detail === undefined) return [];
    const field = `webhooks[${at}].clientConfig.${client.service === undefined ? 'url' : 'service'}`;
    return [{ type: 'Forbidden', field, detail }];
  });
}

const clientsOf = (body: JsonObject | undefined) =>
  objectsIn(body?.webhooks).map(({ clientConfig }) => objectAt(clientConfig));

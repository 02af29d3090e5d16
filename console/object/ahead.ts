import { type KindInfo, objectKey, type Row } from '../api/index.ts';
import { askAhead } from '../widgets/index.ts';
import { readObject } from './object-requests.ts';
import { ownersKey, readOwners } from './owners.ts';
import { readSelectedBy, selectedByKey } from './selections.ts';

/**
 * Reads the object of a row, its owners and the selectors that match it, for the drawer that may open next. Its Events
 * wait until the drawer opens: the server looks through all of the namespace. Returns a function that ends the reading.
 */
export function readAhead(kind: KindInfo, { metadata }: Row): () => void {
  const { namespace = '', name } = metadata;
  const place = { kind, namespace, name };
  const stops = [
    askAhead(`${objectKey(kind, metadata)} 0`, (signal) => readObject(place, signal)),
    askAhead(ownersKey(metadata), (signal, show) => readOwners(metadata, signal, show)),
    askAhead(selectedByKey(kind, metadata), (signal) => readSelectedBy(place, signal)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

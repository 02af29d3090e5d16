import { channel, subscribe } from 'node:diagnostics_channel';
import type { Collection } from '../lib/json/index.ts';
import { optional } from './environment/index.ts';

type Listener = (collection: Collection) => void;

/** The channel between the functions of one process. Each function has its own copy of this module. */
const NAME = 'winnow:decided';

/** Announces a write to the watches of this process. On AWS each function has its own process, so none listens. */
export const decided: Listener = (collection) => channel(NAME).publish(collection);

/** Returns the registration of listeners to the writes of this process; undefined unless this is a local run. */
export function listenToWrites(): ((listener: Listener) => void) | undefined {
  if (optional('signal') !== 'true') return undefined;
  return (listener) => subscribe(NAME, (collection) => listener(collection as Collection));
}

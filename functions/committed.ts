import { channel, subscribe } from 'node:diagnostics_channel';
import type { Committed } from '../lib/store/index.ts';
import { optional } from './environment/index.ts';

/** The channel between the functions of one process. Each function has its own copy of this module. */
const NAME = 'winnow:committed';

/** Announces a write to the watches of this process. On AWS each function has its own process, so none listens. */
export const committed: Committed = (...write) => channel(NAME).publish(write);

/** Returns the registration of listeners to the writes of this process; undefined unless this is a local run. */
export function listenToWrites(): ((listener: Committed) => void) | undefined {
  if (optional('signal') !== 'true') return undefined;
  return (listener) => subscribe(NAME, (write) => listener(...(write as Parameters<Committed>)));
}

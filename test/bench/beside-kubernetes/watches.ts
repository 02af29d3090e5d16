import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import type { Side } from './sides.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
/** The time between two changes, in ms. */
const PAUSE = 100;
/** The longest wait for the last event, in ms. */
const PATIENCE = 30_000;

let changes = 0;

/**
 * Opens watches of one collection, and creates objects in it, one after the other.
 *
 * @returns ms from the moment that each create is sent until each watch has its event
 */
export async function measureWatches(
  { client }: Side,
  { watchers, times }: { readonly watchers: number; readonly times: number },
): Promise<readonly number[]> {
  const { bytes } = await client.ask('GET', `${CONFIG_MAPS}?limit=1`);
  const from = JSON.parse(bytes.toString()).metadata.resourceVersion;
  const sent = new Map<string, number>();
  const waits: number[] = [];
  const note = (_type: string, name: string) => {
    const began = sent.get(name);
    if (began !== undefined) waits.push(performance.now() - began);
  };
  const path = `${CONFIG_MAPS}?watch=true&resourceVersion=${from}`;
  const leave = await Promise.all(Array.from({ length: watchers }, () => client.watch(path, note)));
  try {
    for (let time = 1; time <= times; time += 1) {
      await sleep(PAUSE);
      changes += 1;
      const name = `change-${changes}`;
      sent.set(name, performance.now());
      await client.ask('POST', CONFIG_MAPS, { body: { metadata: { name }, data: { key: 'value' } } });
      await eventually('all watches have the event', () => waits.length >= time * watchers, PATIENCE);
    }
  } finally {
    for (const one of leave) one();
  }
  return waits;
}

import { expect, it } from '@jest/globals';
import { shownWatches } from '../../../../lib/server/registry/shown-store.ts';
import type { WatchEvent, Watches } from '../../../../lib/store/index.ts';
import { UnavailableError } from '../../../../lib/store/index.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';

it('A watch ends cleanly if the current definition of its kind cannot be read', async () => {
  const clock = new OwnedClock();
  let isEnded = false;
  const heartbeats: Watches = {
    open: async (_collection, { signal }) =>
      (async function* (): AsyncGenerator<WatchEvent> {
        try {
          while (!signal.aborted) yield { type: 'HEARTBEAT' };
        } finally {
          isEnded = true;
        }
      })(),
  };
  let looks = 0;
  const isOver = async () => {
    looks += 1;
    if (looks > 2) throw new UnavailableError('the table does not answer');
    return false;
  };
  const watches = shownWatches(heartbeats, { show: (state) => state, ending: { clock, isOver } });
  const asked = { signal: new AbortController().signal };
  const events: WatchEvent[] = [];
  for await (const event of await watches.open('core/things', asked as never)) events.push(event);
  expect(events).toEqual([{ type: 'HEARTBEAT' }, { type: 'HEARTBEAT' }]);
  expect(isEnded).toBe(true);
});

import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { TIMING } from '../../../platform/index.ts';
import { OpenWatches, type OpenWatchesOptions } from './open-watches.ts';

/**
 * Answers a process that writes nothing itself: `{ watch: { user, id, lasts } }` takes a place, which the answer names
 * unless all are taken, and `{ watch: { user, id, place } }` leaves it.
 *
 * @throws {RangeError} it asks for something else
 */
export async function answerWatchRequest(options: OpenWatchesOptions, asked: JsonValue): Promise<JsonObject> {
  const { user, id, lasts, place } = objectAt(objectAt(asked).watch);
  const watches = new OpenWatches(options);
  if (typeof user === 'string' && typeof id === 'string') {
    if (isCount(place)) {
      await watches.leave({ user, id }, place);
      return {};
    }
    if (isCount(lasts)) {
      const taken = await watches.take({ user, id }, Math.min(lasts, TIMING.watch));
      return taken === undefined ? {} : { place: taken };
    }
  }
  throw new RangeError(`no watch: ${JSON.stringify(asked).slice(0, 200)}`);
}

const isCount = (value: JsonValue | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

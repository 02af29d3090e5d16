import { type JsonObject, type JsonValue, objectAt } from '../../../json/index.ts';
import { TIMING } from '../../../platform/index.ts';
import { OpenWatches, type OpenWatchesOptions } from './open-watches.ts';

/**
 * Answers a request of a read-only process. `{ watch: { user, id, lasts } }` takes a permit; the answer names it as
 * `place`, and is empty if all permits are taken. `{ watch: { user, id, place } }` returns the permit.
 *
 * @throws {RangeError} the request is neither of these
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

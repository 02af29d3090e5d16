import { TIMING } from '../../../platform/index.ts';
import type { WatchEvent, Watches } from '../../../store/index.ts';
import type { Answer, Call } from '../../http/index.ts';
import { readVersion } from '../../http/index.ts';
import { ApiError, expired } from '../../status/index.ts';
import { OtherListError } from '../other-list-error.ts';
import { currentSelection, isSameSelection, membersOf } from './members-of.ts';

/** A LIST or WATCH of objects. A parameter, so that processes that only write do not load it. */
type Verb = (call: Call) => Promise<Answer>;

const CHANGED = 'the selector has changed, or its object was deleted';
const LIST_AGAIN = `${CHANGED}; list again`;

/**
 * LIST of `/selected`: the objects that a carrier selects, exact and in pages as any list. A continue token from before
 * a change of the selector gets 410; the client then lists again.
 */
export async function listSelected(call: Call, list: Verb): Promise<Answer> {
  const members = await membersOf(call);
  try {
    return await list(members.call);
  } catch (error) {
    throw error instanceof OtherListError ? expired(LIST_AGAIN) : error;
  }
}

/**
 * WATCH of `/selected`. Begins with the present members. Ends with 410 soon after the selector changed or the carrier
 * was deleted. A resourceVersion to begin at counts as expired: it is a version of the members, so it cannot show
 * whether the selector changed since the list.
 */
export async function watchSelected(call: Call, watch: Verb): Promise<Answer> {
  if ((readVersion(call.request.query) ?? 0) > 0 && call.request.query.get('sendInitialEvents') === null) {
    throw expired(`${CHANGED}; watch without a resourceVersion, or with sendInitialEvents`);
  }
  const path = call.request.query.get('path') ?? '';
  const { call: members, selection } = await membersOf(call);
  const isCurrent = async () => {
    const now = await currentSelection(call, path).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    });
    return isSameSelection(selection, now);
  };
  const watches = watchesWhile(call, isCurrent);
  return watch({ ...members, options: { ...members.options, watches } });
}

/** Watches that end with GONE when `isCurrent` returns false. It is called once every `TIMING.definitionLook`. */
function watchesWhile(
  { options: { watches, clock }, signal }: Call,
  isCurrent: () => Promise<boolean>,
): Watches {
  return {
    open: async (collection, request) => {
      const over = new AbortController();
      const lasting = AbortSignal.any([request.signal, over.signal]);
      const events = await watches.open(collection, { ...request, signal: lasting });
      return (async function* (): AsyncGenerator<WatchEvent> {
        const iterator = events[Symbol.asyncIterator]();
        let looked = clock.now();
        try {
          for (let next = iterator.next(); ; ) {
            const event = await Promise.race([next, clock.sleep(TIMING.definitionLook, signal)]);
            if (signal.aborted) return;
            if (clock.now() - looked >= TIMING.definitionLook) {
              if (!(await isCurrent())) return yield { type: 'GONE', message: LIST_AGAIN };
              looked = clock.now();
            }
            if (event === undefined) continue;
            if (event.done === true) return;
            yield event.value;
            next = iterator.next();
          }
        } finally {
          // Without the abort, `return` would wait for the next event of the watch.
          over.abort();
          await iterator.return?.();
        }
      })();
    },
  };
}

import { TIMING } from '../../../platform/index.ts';
import type { WatchEvent, Watches } from '../../../store/index.ts';
import type { Answer, Call } from '../../http/index.ts';
import { readVersion } from '../../http/index.ts';
import { ApiError, expired } from '../../status/index.ts';
import { OtherListError } from '../other-list-error.ts';
import { currentSelection, isSameSelection, membersOf } from './members-of.ts';

/** How objects are listed, or watched. Handed in, so that who only writes does not load it. */
type Verb = (call: Call) => Promise<Answer>;

const CHANGED = 'the selector has changed, or its object was deleted';
const LIST_AGAIN = `${CHANGED}; list again`;

/**
 * LIST of `/selected`: the objects that an object selects, exact and in pages as any list. A page of what it selected
 * before its selector changed is none of this list: 410, and the list begins anew.
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
 * WATCH of `/selected`: ends with 410 soon after the selector has changed, or its object is gone. It begins with the
 * present members. Whether the selector is still that of a list nobody can tell from a resourceVersion, which is one of
 * the members' own; so one to begin at is expired.
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

/** Watches that are told that they are over when something is so no more; it is looked at every second. */
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
          // Else it would be waited for what the watch tells next.
          over.abort();
          await iterator.return?.();
        }
      })();
    },
  };
}

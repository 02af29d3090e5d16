import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../connection/index.ts';
import type { ReceivedEvent } from '../../queue.ts';
import type { Examination, Step } from '../examination.ts';
import { type Change, followChanges, selectorOf } from '../follow-changes.ts';

const NAME = 'watched';
/** The pause between two watches, in ms. */
const PAUSE = 200;

export const watch: Step = {
  name: 'WATCH by selector',
  run: async (examination) => {
    const { metadata } = await examination.connection.ask('GET', `${examination.objectsPath}?limit=1`);
    const { resourceVersion } = metadata as { resourceVersion: string };
    const leaving = new AbortController();
    const events = watchEvents(examination, resourceVersion, leaving.signal);
    // Open the watch before the first change.
    let next = ask(events);
    const receive = async (change: Change) => {
      const event = await inTime(next, change, examination);
      next = ask(events);
      return event;
    };
    try {
      const { events: count, slowest } = await followChanges(examination, { name: NAME, receive });
      return `${count} events: entered, changed, left; the slowest took ${slowest.toFixed(1)} s`;
    } finally {
      leaving.abort();
    }
  },
};

/** Requests the next event. A rejection after the caller has timed out counts as handled. */
function ask(events: AsyncGenerator<ReceivedEvent, never>): Promise<ReceivedEvent> {
  const next = events.next().then(({ value }) => value);
  next.catch(() => {});
  return next;
}

/** Yields events after a resourceVersion. Opens a new watch when one ends cleanly, as a long poll does. */
async function* watchEvents(
  { connection, objectsPath }: Examination,
  from: string,
  signal: AbortSignal,
): AsyncGenerator<ReceivedEvent, never> {
  for (let resourceVersion = from; ; await sleep(PAUSE, undefined, { signal })) {
    const query = new URLSearchParams({ watch: 'true', labelSelector: selectorOf(NAME), resourceVersion });
    for await (const line of connection.lines(`${objectsPath}?${query}`, signal)) {
      if (line === '') continue;
      const event = JSON.parse(line) as ReceivedEvent;
      resourceVersion = String(event.object?.metadata?.resourceVersion ?? resourceVersion);
      yield event;
    }
  }
}

async function inTime(
  next: Promise<ReceivedEvent>,
  { what, event }: Change,
  { patience, signal }: Examination,
): Promise<ReceivedEvent> {
  const given = new AbortController();
  const late = sleep(patience.watch, undefined, { signal: AbortSignal.any([signal, given.signal]) });
  try {
    const told = await Promise.race([next, late]);
    if (told !== undefined) return told;
  } finally {
    late.catch(() => {});
    given.abort();
  }
  throw new Fault({
    what: `${what}, but the watch received no ${event} within ${patience.watch / 1_000} s`,
    advice:
      "Does a proxy on the way hold answers back until they end? If not, find the error in the read function's log; dispatch is not involved",
    runbook: 'look',
  });
}

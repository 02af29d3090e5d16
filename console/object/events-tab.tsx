import { ask, findKind, objectKey, pathOf, sentence } from '../api/index.ts';
import { navigate } from '../route/index.ts';
import { counted } from '../what-if/index.ts';
import { Age, Empty, ErrorPanel, useAsked, Waiting } from '../widgets/index.ts';
import { type KubeEvent, readEvents, type ShownEvent } from './events.ts';
import type { Place } from './object-requests.ts';

/** The most Events that are read. */
const MOST = 500;
/** The most Events that are shown. */
const SHOWN = 100;

/** The most Events in the overview. */
const NEWEST = 3;

interface EventsProps {
  readonly place: Place;
  readonly uid: string | undefined;
}

/** Reads the Events about an object. Those that were read before are shown until then. */
function useEvents({ place, uid }: EventsProps) {
  const { kind, namespace, name } = place;
  const read = async (signal: AbortSignal) => {
    const events = findKind('events');
    if (events === undefined) return [];
    const wanted = { kind: kind.kind, name, ...(namespace !== '' && { namespace }) };
    const fieldSelector = Object.entries(wanted)
      .map(([field, value]) => `involvedObject.${field}=${value}`)
      .join(',');
    const query = { fieldSelector, limit: String(MOST) };
    const { items } = await ask<{ items: KubeEvent[] }>(pathOf(events, namespace), { query, signal });
    return readEvents(items, uid);
  };
  return useAsked(`events ${objectKey(kind, place)} ${uid}`, read, true);
}

/** The newest Events about an object, if there are any. */
export function NewestEvents(props: EventsProps) {
  const { answer = [], error } = useEvents(props);
  const more = answer.length - NEWEST;
  if (answer.length === 0 && error === undefined) return null;
  return (
    <section class="events">
      <h3>Events</h3>
      {error !== undefined && <p class="meta">{sentence(error)}</p>}
      {answer.length > 0 && <EventTable events={answer.slice(0, NEWEST)} />}
      {more > 0 && (
        <button type="button" class="link" onClick={() => navigate({ tab: 'events' }, { replace: true })}>
          All {counted(answer.length, 'Event')}
        </button>
      )}
    </section>
  );
}

/** The Events about an object, the newest first. */
export function EventsTab(props: EventsProps) {
  const { kind, name } = props.place;
  const { answer, error, again } = useEvents(props);
  if (error !== undefined) return <ErrorPanel error={error} retry={again} />;
  if (answer === undefined) return <Waiting what="Reading Events" />;
  if (answer.length === 0) {
    return (
      <Empty title="No Events">
        <p>
          Controllers report here what they did for an object:{' '}
          <code>
            kubectl events --for {kind.singular}/{name}
          </code>
          . Events go away after an hour or so.
        </p>
        <button type="button" onClick={again}>
          Look again
        </button>
      </Empty>
    );
  }
  return (
    <div class="events">
      <p class="tab-bar">
        <span class="meta">
          {answer.length > SHOWN && `${SHOWN} of `}
          {counted(answer.length, 'Event')}, the newest first
        </span>
        <button type="button" onClick={again}>
          Refresh
        </button>
      </p>
      <EventTable events={answer.slice(0, SHOWN)} />
    </div>
  );
}

function EventTable({ events }: { readonly events: readonly ShownEvent[] }) {
  return (
    <table class="plain">
      <thead>
        <tr>
          <th scope="col">Last</th>
          <th scope="col">Reason</th>
          <th scope="col">Message</th>
          <th scope="col">From</th>
          <th scope="col" class="number">
            Times
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ uid: id, type, reason, message, from, last, times }) => (
          <tr key={id} class={type === 'Warning' ? 'edge change-edge' : ''}>
            <td>
              <Age since={last} />
            </td>
            <td class={type === 'Warning' ? 'change' : ''}>
              {type === 'Warning' && <span class="visually-hidden">Warning: </span>}
              {reason}
            </td>
            <td class="break">{message}</td>
            <td class="meta">{from}</td>
            <td class="number">{times}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

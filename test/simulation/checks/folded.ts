import type { ReceivedMessage, Snapshot } from '../history.ts';
import { isChange } from './spells.ts';

/**
 * The objects that a subscriber knows after these messages if it follows docs/consumers.md. The newest event of each
 * object wins, by edit and resourceVersion. An ERROR forgets the objects of lower edits.
 */
export function folded(
  messages: readonly Pick<ReceivedMessage, 'event' | 'edit'>[],
): ReadonlyMap<string, Snapshot> {
  const floor = Math.max(
    0,
    ...messages.filter(({ event }) => event.type === 'ERROR').map(({ edit }) => edit),
  );
  const newest = new Map<
    string,
    Pick<ReceivedMessage, 'edit'> & { readonly rv: number; readonly state?: Snapshot }
  >();
  for (const { event, edit } of messages) {
    if (!isChange(event) || edit < floor) continue;
    const { object, type } = event;
    const known = newest.get(object.object) ?? { edit: 0, rv: 0 };
    if (edit < known.edit || (edit === known.edit && object.rv < known.rv)) continue;
    newest.set(object.object, { edit, rv: object.rv, ...(type === 'DELETED' ? {} : { state: object }) });
  }
  return new Map([...newest].flatMap(([name, { state }]) => (state === undefined ? [] : [[name, state]])));
}

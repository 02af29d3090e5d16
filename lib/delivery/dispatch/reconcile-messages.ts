import type { ReconcileMessage } from '../../coordination/index.ts';
import { collectionOf, metadataOf, objectAt } from '../../json/index.ts';
import type { JournalChange } from '../../store/index.ts';

interface VersionedMessage {
  readonly rv: number;
  readonly message: ReconcileMessage;
}

/** The reconcile requests that follow from changes of subscriptions, namespaces and definitions. */
export function reconcileMessages(changes: readonly JournalChange[]): VersionedMessage[] {
  const told = changes.flatMap((change): VersionedMessage[] => {
    const message = messageOf(change);
    return message === undefined ? [] : [{ rv: change.rv, message }];
  });
  // One check covers all label changes up to the last one.
  const relabelled = changes.findLast(isOfLabels);
  if (relabelled === undefined) return told;
  const { rv } = relabelled;
  return [...told, { rv, message: { kind: 'labels', rv } }];
}

/** Whether a namespaceSelector may select other namespaces after this change. */
function isOfLabels({ state, type, relabels }: JournalChange): boolean {
  return state.body.kind === 'Namespace' && (type !== 'MODIFIED' || relabels);
}

function messageOf(change: JournalChange): ReconcileMessage | undefined {
  const { body, name, uid } = change.state;
  if (body.kind === 'Namespace') {
    const terminating = change.type !== 'DELETED' && objectAt(body.metadata).deletionTimestamp !== undefined;
    return terminating ? { kind: 'namespace', name: name.name } : undefined;
  }
  if (isStatusOnly(change)) return undefined;
  if (body.kind === 'CustomResourceDefinition') return { kind: 'definition', name: name.name };
  const { group = '', resource } = objectAt(objectAt(body.spec).resource);
  const kind = body.kind === 'Tally' ? 'tally' : 'subscription';
  return { kind, name, uid, collection: collectionOf(String(group), String(resource)) };
}

/** Whether a change concerns only the status. Most of these are reconcile's own writes and need no reconcile. */
function isStatusOnly({ before, after }: JournalChange): boolean {
  if (after === undefined || before === undefined) return false;
  const [was, is] = [metadataOf(before.body), metadataOf(after.body)];
  return was.generation === is.generation && was.deletionTimestamp === is.deletionTimestamp;
}

import { collectionOf, type JournalChange, metadataOf, objectAt } from '../../store/index.ts';
import type { ReconcileMessage } from '../internal-messages.ts';

/** What changes of subscriptions, namespaces and definitions give reconcile to do. */
export function reconcileMessages(
  changes: readonly JournalChange[],
): { readonly rv: number; readonly message: ReconcileMessage }[] {
  return changes.flatMap((change) => {
    const message = messageOf(change);
    return message === undefined ? [] : [{ rv: change.rv, message }];
  });
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
  return { kind: 'subscription', name, uid, collection: collectionOf(String(group), String(resource)) };
}

/** Reconcile's own writes of a status, mostly: it has nothing to do for them. */
function isStatusOnly({ before, after }: JournalChange): boolean {
  if (after === undefined || before === undefined) return false;
  const [was, is] = [metadataOf(before.body), metadataOf(after.body)];
  return was.generation === is.generation && was.deletionTimestamp === is.deletionTimestamp;
}

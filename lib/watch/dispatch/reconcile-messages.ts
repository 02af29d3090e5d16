import { type JournalChange, metadataOf, objectAt } from '../../store/index.ts';
import type { ReconcileMessage } from '../internal-messages.ts';
import type { TargetResources } from '../subscription.ts';

/** What changes of subscriptions and namespaces give reconcile to do. */
export function reconcileMessages(
  resources: TargetResources,
  changes: readonly JournalChange[],
): { readonly rv: number; readonly message: ReconcileMessage }[] {
  return changes.flatMap((change) => {
    const message = messageOf(resources, change);
    return message === undefined ? [] : [{ rv: change.rv, message }];
  });
}

function messageOf(resources: TargetResources, change: JournalChange): ReconcileMessage | undefined {
  const { body, name, uid } = change.state;
  if (body.kind === 'Namespace') {
    const terminating = change.type !== 'DELETED' && objectAt(body.metadata).deletionTimestamp !== undefined;
    return terminating ? { kind: 'namespace', name: name.name } : undefined;
  }
  if (isStatusOnly(change)) return undefined;
  const { group = '', resource } = objectAt(objectAt(body.spec).resource);
  const target = resources.find(String(group), String(resource));
  return target && { kind: 'subscription', name, uid, collection: target.collection };
}

/** Reconcile's own writes of a status, mostly: it has nothing to do for them. */
function isStatusOnly({ type, before, after }: JournalChange): boolean {
  if (type === 'DELETED' || before === undefined || after === undefined) return false;
  const [was, is] = [metadataOf(before.body), metadataOf(after.body)];
  return was.generation === is.generation && was.deletionTimestamp === is.deletionTimestamp;
}

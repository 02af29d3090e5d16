import { type JournalChange, objectAt } from '../store/index.ts';
import { type ReconcileMessage, reconcileMessage } from './messages.ts';
import type { QueueMessage } from './queues.ts';
import type { TargetResources } from './subscription.ts';

/** What changes of subscriptions and namespaces give reconcile to do. */
export function reconcileMessages(
  resources: TargetResources,
  changes: readonly JournalChange[],
): QueueMessage[] {
  return changes.flatMap((change): QueueMessage[] => {
    const message = messageOf(resources, change);
    return message === undefined ? [] : [reconcileMessage(message, String(change.rv))];
  });
}

function messageOf(resources: TargetResources, change: JournalChange): ReconcileMessage | undefined {
  const { body, name, uid } = change.state;
  if (body.kind === 'Namespace') {
    const terminating = change.type !== 'DELETED' && objectAt(body.metadata).deletionTimestamp !== undefined;
    return terminating ? { kind: 'namespace', name: name.name } : undefined;
  }
  const { group = '', resource } = objectAt(objectAt(body.spec).resource);
  const target = resources.find(String(group), String(resource));
  return target && { kind: 'subscription', name, uid, collection: target.collection };
}

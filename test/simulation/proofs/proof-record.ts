import { metadataOf, objectAt } from '../../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { parseNameKey, type Row, subscriptionsPartition } from '../../../lib/store/index.ts';
import { PODS } from '../actors/pods.ts';
import type { Received } from '../world/queue.ts';
import type { World } from '../world/world.ts';

/** A token that a queue of users received, in virtual ms. */
export interface Token {
  readonly queue: string;
  readonly namespace: string;
  readonly name: string;
  readonly at: number;
}

/** A period in which a Subscription sent to a queue that it had proved, in virtual ms. */
export interface Proving {
  readonly queue: string;
  readonly namespace: string;
  readonly uid: string;
  readonly from: number;
  /** When it lost the queue, or was marked as deleted; infinite before that. */
  to: number;
}

/**
 * The truth of a run about queues of users: every token that reached them, and which Subscriptions had proved them
 * when. Queues are ARNs.
 */
export class ProofRecord {
  readonly queues: string[] = [];
  readonly tokens: Token[] = [];
  readonly provings: Proving[] = [];
  readonly #seen = new Set<string>();

  /** Follows the state rows of Subscriptions, and the deletions of Subscriptions. */
  follow(world: World): void {
    world.table.watch(({ before, after }) => {
      const row = after ?? before;
      const { now } = world.scheduler;
      if (row?.pk === `object#${SUBSCRIPTIONS}`) {
        const isLeaving = metadataOf(decodeBody(row.body)).deletionTimestamp !== undefined;
        if (after === undefined || isLeaving) this.#end(String(row.uid), now);
      }
      if (row?.pk !== subscriptionsPartition(PODS)) return;
      const [was, is] = [provedBy(before), provedBy(after)];
      if (was === is) return;
      this.#end(row.sk, now);
      const { namespace } = parseNameKey(String(row.subscription));
      if (is !== '') {
        this.provings.push({ queue: is, namespace, uid: row.sk, from: now, to: Number.POSITIVE_INFINITY });
      }
    });
  }

  #end(uid: string, now: number): void {
    for (const one of this.provings) if (one.uid === uid) one.to = Math.min(one.to, now);
  }

  /** Records a token once, even if the queue delivers it twice. */
  noteReceived(queue: string, { body, messageId, sentAt }: Received): void {
    const { type, object } = JSON.parse(body);
    if (type !== 'TOKEN' || this.#seen.has(`${queue} ${messageId}`)) return;
    this.#seen.add(`${queue} ${messageId}`);
    const { namespace, name } = objectAt(object.metadata);
    this.tokens.push({ queue, namespace: String(namespace), name: String(name), at: sentAt });
  }
}

/** The queue to which a Subscription sends by its own proof; '' if none. */
function provedBy(row: Row | undefined): string {
  return row?.queueUrl ? String(row.queueArn ?? '') : '';
}

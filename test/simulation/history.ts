import type { Labels } from '../../lib/selectors/index.ts';

/** What one simulated run did and saw, in the order of `at` (virtual milliseconds; ties in order of recording). */
export interface History {
  readonly seed: number;
  readonly scenario: string;
  readonly operations: readonly Operation[];
  readonly listings: readonly Listing[];
  readonly watches: readonly WatchRecord[];
  readonly subscriptions: readonly SubscriptionRecord[];
  /** The objects that exist when all is quiet, read from the table's rows directly, without caches and indexes. */
  readonly final: readonly Snapshot[];
  /** The collection's head when all is quiet. */
  readonly finalHead: number;
}

/** An object as a client sees it: the part that the checks compare. */
export interface Snapshot {
  /** `namespace/name`. */
  readonly object: string;
  readonly uid: string;
  readonly rv: number;
  readonly labels: Labels;
  /** A selectable field, changed without touching labels. */
  readonly phase: string;
  /** Unique to each write, so that it identifies the write of this state. */
  readonly token: string;
}

/**
 * The objects that a reader requests; `undefined` parts restrict nothing. Selectors are texts, so that the checks
 * parse them on their own.
 */
export interface Asked {
  readonly namespace?: string;
  readonly namespaces?: readonly string[];
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** The object also has to match one of these label selectors: those of several grants. */
  readonly anyOf?: readonly string[];
}

/** One single-object request, as its client knows it. */
export interface Operation {
  readonly client: string;
  readonly kind: 'create' | 'update' | 'delete' | 'get';
  readonly object: string;
  readonly invoked: number;
  /** Undefined: the client died, or never got an answer. */
  readonly returned: number | undefined;
  /**
   * - `ok`: the request succeeded.
   * - `refused`: the request certainly changed nothing; `reason` says why. `forbidden`: the namespace of a create is
   *   gone, or being deleted.
   * - `unknown`: the request may have taken effect, may still do so, or never will.
   */
  readonly outcome: 'ok' | 'refused' | 'unknown';
  readonly reason?:
    | 'exists'
    | 'absent'
    | 'conflict'
    | 'throttled'
    | 'unavailable'
    | 'forbidden'
    | 'too-large';
  /** The resourceVersion that the client gave as a precondition. */
  readonly expected?: number;
  /** What a create or update writes (uid and rv are known only if it is `ok`). */
  readonly wrote?: Pick<Snapshot, 'labels' | 'phase' | 'token'>;
  /** The object in an `ok` answer. For a delete: its last state, with the rv of the deletion if the answer gives it. */
  readonly answer?: Snapshot;
}

/** One LIST with all its pages. */
export interface Listing {
  readonly client: string;
  readonly asked: Asked;
  readonly invoked: number;
  readonly returned: number;
  readonly rv: number;
  /** The exact resourceVersion that the client requested, if it did. */
  readonly at?: number;
  readonly items: readonly Snapshot[];
  readonly pages: number;
}

export type WatchedEvent =
  | { readonly at: number; readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Snapshot }
  | {
      readonly at: number;
      readonly type: 'BOOKMARK';
      readonly rv: number;
      /**
       * Of a queue: the set of events that the bookmark ends, and the Subscription's generation that applies from
       * here.
       */
      readonly ends?: 'snapshot' | 'edit';
      readonly generation?: number;
    }
  | { readonly at: number; readonly type: 'ERROR'; readonly reason: 'gone' };

/** A client that lists, then watches, and lists again after a 410: an informer. */
export interface WatchRecord {
  readonly client: string;
  readonly asked: Asked;
  /** Each list or resume, with the events that followed it. */
  readonly spells: readonly WatchSpell[];
  /** The content of its cache when all was quiet. */
  readonly cache: readonly Snapshot[];
  /** The client ended before all was quiet, so its cache proves nothing. */
  readonly isGivenUp?: boolean;
}

export interface WatchSpell {
  /** The resourceVersion from which it watched: a list's, or the last one seen before a resume. */
  readonly from: number;
  readonly begins: 'list' | 'resume';
  readonly events: readonly WatchedEvent[];
}

/** One Subscription and everything that a consumer received from its queue, in the order received. */
export interface SubscriptionRecord {
  readonly name: string;
  readonly uid: string;
  readonly asked: Asked;
  /** What each generation requested, the first one first; the last is `asked`. */
  readonly asks: readonly Asked[];
  /** Of a namespaceSelector: the namespaces that it followed, by edit. Undefined: the Subscription has none. */
  readonly followed?: Readonly<Record<number, readonly string[]>> | undefined;
  readonly queueType: 'FIFO' | 'Standard';
  /** A FIFO queue that keeps the order of each object alone. Across objects it promises what a Standard queue does. */
  readonly byObject?: boolean;
  readonly start: 'now' | 'snapshot';
  /** The upper limit of the collection's head at which it was acknowledged; undefined: never. */
  readonly acknowledgedAt: number | undefined;
  /**
   * The times at which its deletion, or the loss of its queue, began. After them nothing is promised for the old
   * spell.
   */
  readonly disturbed: readonly number[];
  /**
   * SQS took a batch in part, and the sender died before it had stored that. docs/architecture/delivery.md promises no
   * order among the ten messages of a batch in that case. Undefined: it never happened.
   */
  readonly bent?: boolean;
  /**
   * Dispatchers went on after their leases had ended. No deployed function can, because it is stopped before. The
   * messages of such a dispatcher arrive once more, after those that other dispatchers sent since. Undefined: none
   * did.
   */
  readonly outlived?: boolean;
  /**
   * Set if its messages prove its set. The set began with the selected ones of these objects; empty with a snapshot.
   */
  readonly verified?: readonly Snapshot[];
  readonly messages: readonly ReceivedMessage[];
  /** From when its status was Suspended to when its resumption was requested. Undefined: never suspended. */
  readonly suspended?: readonly { readonly from: number; readonly to: number }[];
  /** The consumer's cache when all was quiet; undefined for a Subscription that was deleted. */
  readonly cache: readonly Snapshot[] | undefined;
}

export interface ReceivedMessage {
  readonly event: WatchedEvent;
  /** The number of the edit to which the message belongs, or of the last edit before it. */
  readonly edit: number;
  /** Of a FIFO queue: `<uid>/<start>/<attempt>/<rv>`, or of an edit's difference `…/<edit>.<position>.<hash>`. */
  readonly deduplication: string | undefined;
  /** If the Subscription proves its set: the number of the change, and `<count>/<digest>` of the set after it. */
  readonly sequence?: number;
  readonly set?: string;
  /** SQS may deliver one message twice: this tells a second delivery from another message. */
  readonly messageId: string;
  /** When the queue took the message. Undefined: not recorded. */
  readonly sentAt?: number;
}

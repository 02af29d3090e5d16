import type { Labels } from '../../lib/selectors/index.ts';

/** What one simulated run did and saw, in the order of `at` (virtual milliseconds; ties in order of recording). */
export interface History {
  readonly seed: number;
  readonly scenario: string;
  readonly operations: readonly Operation[];
  readonly listings: readonly Listing[];
  readonly watches: readonly WatchRecord[];
  readonly subscriptions: readonly SubscriptionRecord[];
  /** What is there when all is quiet, read from the table's rows directly, past every cache and index. */
  readonly final: readonly Snapshot[];
  /** The collection's head when all is quiet. */
  readonly finalHead: number;
}

/** An object as a client sees it: as much of it as the checks compare. */
export interface Snapshot {
  /** `namespace/name`. */
  readonly object: string;
  readonly uid: string;
  readonly rv: number;
  readonly labels: Labels;
  /** A selectable field, changed without touching labels. */
  readonly phase: string;
  /** Unique to each write: tells which write this state came from. */
  readonly token: string;
}

/** Which objects a reader asks for; `undefined` parts restrict nothing. Texts, so that the checks parse them on their own. */
export interface Asked {
  readonly namespace?: string;
  readonly namespaces?: readonly string[];
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** One of these label selectors as well: what several grants select. */
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
   * `ok`; `refused`: the request certainly changed nothing (the reason says why); `unknown`: it may have taken
   * effect, may still, or never. `forbidden`: the namespace of a create is gone, or on its way out.
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
  /** The resourceVersion the client named as a precondition. */
  readonly expected?: number;
  /** Of a create or update: what it writes (uid and rv are known only when it is `ok`). */
  readonly wrote?: Pick<Snapshot, 'labels' | 'phase' | 'token'>;
  /** Of an `ok` answer: the object as answered (for a delete, as it last was, with the rv of the deletion where given). */
  readonly answer?: Snapshot;
}

/** One LIST, all its pages. */
export interface Listing {
  readonly client: string;
  readonly asked: Asked;
  readonly invoked: number;
  readonly returned: number;
  readonly rv: number;
  /** The exact resourceVersion the client asked for, if it did. */
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
      /** Of a queue: what it stands behind, and the Subscription's generation that is in force from here. */
      readonly ends?: 'snapshot' | 'edit';
      readonly generation?: number;
    }
  | { readonly at: number; readonly type: 'ERROR'; readonly reason: 'gone' };

/** A client that lists, then watches, and lists again when it is told to: an informer. */
export interface WatchRecord {
  readonly client: string;
  readonly asked: Asked;
  /** Each list or resume, with the events that followed it. */
  readonly spells: readonly WatchSpell[];
  /** What its cache held when all was quiet. */
  readonly cache: readonly Snapshot[];
  /** It was given up before all was quiet, and its cache says nothing. */
  readonly isGivenUp?: boolean;
}

export interface WatchSpell {
  /** Watched from here: a list's resourceVersion, or the last one seen before a resume. */
  readonly from: number;
  readonly begins: 'list' | 'resume';
  readonly events: readonly WatchedEvent[];
}

/** One Subscription and everything that a consumer received from its queue, in the order received. */
export interface SubscriptionRecord {
  readonly name: string;
  readonly uid: string;
  readonly asked: Asked;
  /** What each generation asked for, the first one's first; the last is `asked`. */
  readonly asks: readonly Asked[];
  /** Of a namespaceSelector, the namespaces that it followed, by edit. Undefined: it has none. */
  readonly followed?: Readonly<Record<number, readonly string[]>> | undefined;
  readonly queueType: 'FIFO' | 'Standard';
  /** A FIFO queue that keeps the order of each object alone: of all together it promises what a Standard queue does. */
  readonly byObject?: boolean;
  readonly start: 'now' | 'snapshot';
  /** Acknowledged at this resourceVersion of its collection's head at the latest; undefined: never. */
  readonly acknowledgedAt: number | undefined;
  /** When its deletion, or its queue's loss began: nothing is promised of the old spell after. */
  readonly disturbed: readonly number[];
  /**
   * SQS took a batch in part, and the sender died before it had stored that: docs/architecture/README.md promises no
   * order among the ten messages of a batch then. Undefined: it never happened.
   */
  readonly bent?: boolean;
  /**
   * Dispatchers went on after their leases had ended, as no deployed function can, which is stopped before. What they
   * send comes once more, behind what others sent since. Undefined: none did.
   */
  readonly outlived?: boolean;
  /** Its messages prove its set, which began as what is selected of these; empty with a snapshot. */
  readonly verified?: readonly Snapshot[];
  readonly messages: readonly ReceivedMessage[];
  /** From when its status said Suspended to when it was asked to go on. Undefined: it never did. */
  readonly suspended?: readonly { readonly from: number; readonly to: number }[];
  /** The consumer's cache when all was quiet; undefined for one that was deleted. */
  readonly cache: readonly Snapshot[] | undefined;
}

export interface ReceivedMessage {
  readonly event: WatchedEvent;
  /** The number of the edit that it is of, or that the last before it had. */
  readonly edit: number;
  /** Of a FIFO queue: `<uid>/<start>/<attempt>/<rv>`, or of an edit's difference `…/<edit>.<position>.<hash>`. */
  readonly deduplication: string | undefined;
  /** Where its set is proved: which change it is, and `<count>/<digest>` of the set after it. */
  readonly sequence?: number;
  readonly set?: string;
  /** SQS may hand out one message twice: this tells its deliveries from another message. */
  readonly messageId: string;
  /** When the queue took it. Undefined: nobody noted that. */
  readonly sentAt?: number;
}

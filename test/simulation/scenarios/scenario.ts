import type { Range } from '../world/chance.ts';
import type { Faults } from '../world/faults.ts';

/** The actors and the faults of a run. All times are in virtual ms. */
export interface Scenario {
  readonly name: string;
  readonly namespaces: readonly string[];
  /** The number of object names in each namespace. */
  readonly names: number;
  readonly writers: number;
  /** Requests of each writer, and the pause before each. */
  readonly writes: number;
  readonly pause: Range;
  readonly informers: number;
  readonly watchFor: Range;
  /** How long an informer is away between two watches. */
  readonly awayFor: Range;
  /**
   * The number of label keys that writers use besides those of all scenarios; they come into use one after the other.
   */
  readonly labelKeys?: number;
  /** Other keys have all slots from the beginning, so all labels are in the overflow. */
  readonly takenSlots?: boolean;
  /** Bytes in each written object that do not compress; a write beyond the limit is refused. */
  readonly bodies?: Range;
  /** The most bytes of a row: writers store larger bodies in chunk rows. */
  readonly mostRowBytes?: number;
  /** The chance that an invocation gets a new process although a warm one is idle; undefined: the default. */
  readonly coldStarts?: number;
  /**
   * Whether collections get no hints before a Subscription or a Tally selects them; by default, dispatch has work for all
   * collections.
   */
  readonly leavesOutHints?: boolean;
  /** Whether the schedule leaves out ticks while nothing can be due. */
  readonly hasQuietTimes?: boolean;
  /** The label selectors of readers; undefined: any. */
  readonly labelSelectors?: readonly string[];
  /**
   * How often an attacker requests fills of versions that are no gaps. If set, readers have gaps filled by another
   * function.
   */
  readonly rogueFills?: number;
  readonly listers: number;
  readonly listings: number;
  readonly listPause: Range;
  readonly pagePause: Range;
  readonly subscribers: number;
  /** The chance that a subscriber selects namespaces by their labels, and how often these labels change. */
  readonly namespaceSelectors: number;
  readonly relabels: number;
  /** Clients whose objects own each other. */
  readonly owners: number;
  /** Clients that use custom kinds, how often each kind is defined or deleted, and how far apart the definers write. */
  readonly kindUsers: number;
  readonly definitions: number;
  readonly definePause: Range;
  /**
   * Clients whose Services request addresses and ports, how often the quota of their namespace changes, and the pause
   * before each time.
   */
  readonly claimants: number;
  readonly rations: number;
  readonly rationPause: Range;
  /** Clients whose objects select others; each also looks up selecting objects. */
  readonly selectors: number;
  /**
   * Writers of roles, bindings and AccessEntries, and clients that request their permissions, half of them in one
   * process.
   */
  readonly administrators?: number;
  /** The time in ms in which the audit log begins the event of a request; absent: there is no audit log. */
  readonly auditPause?: Range;
  readonly askers?: number;
  /** Writers of admission policies and their bindings. The askers write ConfigMaps, which the policies decide. */
  readonly rulers?: number;
  /** Clients that move the steps of ConfigMaps, which a policy and a webhook allow forward only. */
  readonly steppers?: number;
  /** Clients that see pods by AccessGrants alone, how often a grant is written, and the pause before each time. */
  readonly tenants?: number;
  readonly grants?: number;
  readonly grantPause?: Range;
  /**
   * How often each tenant patches, applies or deletes by the collection, lists by a stream, reads Events, and presents
   * tokens.
   */
  readonly everyVerb?: number;
  /** How often each tenant edits its Subscription and its Tally; undefined: tenants have none. */
  readonly tellings?: number;
  /**
   * Authors, each with a Subscription and a Tally. The last author of each form keeps its identity. How often the
   * identity of each other author changes, and the pause before each time.
   */
  readonly authors?: number;
  readonly identities?: number;
  readonly identityPause?: Range;
  /** Writers of pods whose history is read, and the clients that read it. */
  readonly pastWriters?: number;
  readonly historians?: number;
  /** Queues of users, each with an owner that proves it and with strangers that try to have tokens sent to it. */
  readonly provedQueues?: number;
  /** Tallies, each edited a few times, and the chance that each is deleted and created again. */
  readonly tallies?: number;
  readonly talliesLeave?: number;
  /** The virtual ms from which writers know what objects select. A backfill then covers the existing objects. */
  readonly selectsFrom?: number;
  /** Clients with ReplicaSets, whose statuses are derived; undefined: no statuses are derived. */
  readonly workloads?: number;
  /**
   * Clients with Services, pods, nodes and Leases, from which endpoints are derived; undefined: no endpoints are
   * derived.
   */
  readonly registrars?: number;
  /** Clients whose pods are to be bound, the binders, some of them concurrent, and the pause of each binder. */
  readonly placed: number;
  readonly binders: number;
  readonly bindPause: Range;
  /** Whether binders store snapshots for new processes. */
  readonly keepsWorld: boolean;
  /** Whether clients delete their pods with a node after their last write. */
  readonly givesBack: boolean;
  /**
   * The most edits, queue losses and suspensions of a subscriber, and the chances that it leaves and that its queue is
   * a standard queue.
   */
  readonly edits: number;
  readonly queueLosses: number;
  readonly suspensions: number;
  readonly leaves: number;
  readonly standardQueues: number;
  /** The chance that a FIFO queue keeps the order of each object alone. */
  readonly orderedByObject: number;
  /** The chance that the messages of a FIFO queue that begins with a known set prove the set. */
  readonly verified: number;
  /** The pause between two ticks; undefined: queues, stream and schedule are not connected. */
  readonly tickEvery: Range | undefined;
  /** Hints that a writer sends in a second before it sends only a sample; undefined: all. */
  readonly hintsASecond: number | undefined;
  /** Subscriptions of one dispatch shard before it splits; undefined: no limit. */
  readonly groupSize: number | undefined;
  /** Subscriptions that one round admits at most; undefined: the default. */
  readonly admissions: number | undefined;
  /** Dispatchers besides the one that SQS starts, and the ms after which they are stopped. */
  readonly rogueDispatchers: number;
  readonly rogueTimeout: number;
  /**
   * Namespaces that are deleted during the run. If there are any, writers read the namespace before they create an
   * object in it.
   */
  readonly deletedNamespaces: readonly string[];
  /** How long one message deletes the objects of a namespace, in ms; undefined: the default. */
  readonly emptying?: number;
  readonly faults: Faults;
  /** How long the faults last, and how long all is calm before the end. */
  readonly lasts: number;
  readonly calm: number;
}

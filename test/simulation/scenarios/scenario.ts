import type { Range } from '../world/chance.ts';
import type { Faults } from '../world/faults.ts';

/** Who does what in a run, and what goes wrong. All times in virtual ms. */
export interface Scenario {
  readonly name: string;
  readonly namespaces: readonly string[];
  /** Different names in each namespace. */
  readonly names: number;
  readonly writers: number;
  /** Requests of each writer, and the pause before each. */
  readonly writes: number;
  readonly pause: Range;
  readonly informers: number;
  readonly watchFor: Range;
  /** How long an informer is away between two watches. */
  readonly awayFor: Range;
  /** Label keys that writers use beside those of all scenarios, one after the other comes into use. */
  readonly labelKeys?: number;
  /** Other keys have all slots from the beginning, so all labels are in the overflow. */
  readonly takenSlots?: boolean;
  /** Bytes that compress to nothing in what is written; beyond the limit it is refused. */
  readonly bodies?: Range;
  /** What readers ask for; undefined: anything. */
  readonly labelSelectors?: readonly string[];
  /** How often somebody has gaps filled that are none; where it is said, who reads has holes put by another function. */
  readonly rogueFills?: number;
  readonly listers: number;
  readonly listings: number;
  readonly listPause: Range;
  readonly pagePause: Range;
  readonly subscribers: number;
  /** How likely a subscriber selects namespaces by their labels, and how often these are changed. */
  readonly namespaceSelectors: number;
  readonly relabels: number;
  /** Clients whose objects own each other. */
  readonly owners: number;
  /** Clients that use custom kinds; how often each kind is defined or deleted, and how far from each other they are. */
  readonly kindUsers: number;
  readonly definitions: number;
  readonly definePause: Range;
  /** Clients whose Services want addresses and ports; how often the quota of their namespace is another. */
  readonly claimants: number;
  readonly rations: number;
  readonly rationPause: Range;
  /** Clients whose objects select others; each asks who selects something as well. */
  readonly selectors: number;
  /** Who writes roles, bindings and AccessEntries; who asks what he may do, half of them in one process. */
  readonly administrators?: number;
  readonly askers?: number;
  /** Who sees pods by AccessGrants alone; how often a grant is written, and the pause before each time. */
  readonly tenants?: number;
  readonly grants?: number;
  readonly grantPause?: Range;
  /** How often each tenant patches, applies or deletes by the collection, lists by a stream, reads Events, brings tokens. */
  readonly everyVerb?: number;
  /** How often each tenant edits a Subscription and a Tally of his; undefined: they have none. */
  readonly tellings?: number;
  /**
   * Authors of a Subscription and a Tally each, the last one of each form is left alone; how often the identity of
   * each of the others changes, and the pause before each time.
   */
  readonly authors?: number;
  readonly identities?: number;
  readonly identityPause?: Range;
  /** Queues of users, each with an owner who proves it and with strangers who want tokens sent to it. */
  readonly provedQueues?: number;
  /** Tallies, each edited a few times; and how likely each is deleted and made again. */
  readonly tallies?: number;
  readonly talliesLeave?: number;
  /** From when on anybody knows what objects select, in virtual ms: those that are there then are gone over. */
  readonly selectsFrom?: number;
  /** Clients with ReplicaSets, whose statuses are derived; where nobody says, nothing is. */
  readonly workloads?: number;
  /** Clients with Services, pods, nodes and Leases, of which endpoints are derived; where nobody says, none are. */
  readonly registrars?: number;
  /** Clients whose pods are to be bound; who binds them, some at one time, and the pause of each. */
  readonly placed: number;
  readonly binders: number;
  readonly bindPause: Range;
  /** Whether they keep the world for those that start. */
  readonly keepsWorld: boolean;
  /** Whether clients delete those of their pods that have a node when they have no more writes. */
  readonly givesBack: boolean;
  /** Of a subscriber at most; and how likely it leaves, and asks for a standard queue. */
  readonly edits: number;
  readonly queueLosses: number;
  readonly suspensions: number;
  readonly leaves: number;
  readonly standardQueues: number;
  /** How likely a FIFO queue keeps the order of each object alone. */
  readonly orderedByObject: number;
  /** How likely messages of a FIFO queue that begins with a known set prove it. */
  readonly verified: number;
  /** Between two turns of the schedule; undefined: queues, stream and schedule are cut off. */
  readonly tickEvery: Range | undefined;
  /** Hints of writers in a second, before they send a sample; undefined: all of them. */
  readonly hintsASecond: number | undefined;
  /** Subscriptions of one dispatcher before its group is split; undefined: as many as there are. */
  readonly groupSize: number | undefined;
  /** Subscriptions that one turn admits at most; undefined: as many as elsewhere. */
  readonly admissions: number | undefined;
  /** Dispatchers that nobody started beside the first, and after how many ms they are stopped. */
  readonly rogueDispatchers: number;
  readonly rogueTimeout: number;
  /** Writers look whether the namespace of what they create is there; these are deleted. */
  readonly deletedNamespaces: readonly string[];
  /** For how long one message deletes their objects, in ms; undefined: as long as elsewhere. */
  readonly emptying?: number;
  readonly faults: Faults;
  /** How long the faults last, and how long all is calm before the end. */
  readonly lasts: number;
  readonly calm: number;
}

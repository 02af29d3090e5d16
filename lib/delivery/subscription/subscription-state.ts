import type { Collection, ObjectName } from '../../json/index.ts';
import type { SubscriptionSpec, TargetResource } from '../../kubernetes/winnow/index.ts';
import {
  type Clause,
  type Condition,
  type Key,
  nameKey,
  parseNameKey,
  type Row,
  subscriptionKey,
  type Table,
  type Update,
} from '../../store/index.ts';
import { EMPTY_DIGEST, type SetDigest } from '../tallies/index.ts';
import { accessOf } from './queue-access.ts';
import { type DeliverySpec, type Selection, selection } from './selection.ts';

/**
 * The function that advances a subscription: `catching-up`: reconcile, under the lease on the state row, from the
 * subscription's own position; `ready`: it has met the journal's end, and dispatch may admit it; `synced`: dispatch,
 * under the collection's lease, together with the collection's cursor. Only the owner of a state leaves it.
 */
export type Membership = 'catching-up' | 'ready' | 'synced';

/**
 * What comes next while catching up:
 * `count`: of what is there where changes begin, the names behind the boundary are to be counted;
 * `gone`: the subscriber is told to forget;
 * `difference`: of an edit, that of the names behind the boundary, at the position. Beyond both nothing was sent under
 * the old selection;
 * `between`: the journal, to a head above all that may have been sent beyond the position; then the next difference;
 * `journal`: the journal, of one selection.
 */
export type Step = 'count' | 'gone' | 'difference' | 'between' | 'journal';

/** What dispatch and reconcile know of one subscription beside its object. */
export interface SubscriptionState extends Selection {
  readonly uid: string;
  /** By whose rights it tells (`printAuthor`): whose scope it has. `''`: by nobody's, and of all objects. */
  readonly author: string;
  /** What its status says of the author (`printStanding`). */
  readonly standing: string;
  readonly name: ObjectName;
  readonly collection: Collection;
  readonly queueName: string;
  /** Empty until the queue is there. */
  readonly queueUrl: string;
  readonly membership: Membership;
  readonly step: Step;
  /** Everything up to here was sent. 0: it begins anew, at no resourceVersion yet. */
  readonly position: number;
  /** How often it began anew, and how often it was rewound since: parts of the deduplication id. */
  readonly start: number;
  readonly attempt: number;
  /** What it was told when it was last with reconcile ({@link SetDigest}); of the position and the boundary. */
  readonly tally: SetDigest;
  /** How often what it is sent was edited, every start included: the number of the last or the running edit. */
  readonly edit: number;
  /** The selection that the running edit comes from, as {@link chosen} makes it; '': from nothing, or none runs. */
  readonly from: string;
  /** Of a running edit: names up to here follow the new selection, the others the old one. '': none does yet. */
  readonly boundary: string;
  /** Failed sends in a row, and when to try again (ms since the epoch). */
  readonly failures: number;
  readonly nextAttempt: number;
  /** Why it is not synced, for people. */
  readonly failure: string;
  /** Reconcile wants a state that dispatch owns; the reason. */
  readonly recall: string;
  /** The generation that says that nothing is to be sent, where that is in force. 0: it is not. */
  readonly suspended: number;
  /** Which policy of ours its queue has, or is made with ({@link accessOf}); '': none yet. */
  readonly access: string;
  /** Whether the order is kept of each object alone. */
  readonly byObject: boolean;
  /** Of a queue of somebody's own, which is there when its token came back; '': one is made. */
  readonly queueArn: string;
  /** What has to come back through that queue, and the generation for which it was sent to it last. */
  readonly token: string;
  readonly tokenSent: number;
  /** Why it has not the one that is asked for, for people. */
  readonly accessFailure: string;
  /** `Stopped` or `Tolerated`, and what in it breaks the deployment's rules, for people; '': nothing. */
  readonly violation: string;
  /** Why it does not follow the namespaces that its selector selects now, for people. */
  readonly namespacesFailure: string;
  /** Of a Tally, which is sent nothing: the label keys of its groups and what was counted, as JSON; else both ''. */
  readonly groupBy: string;
  readonly counts: string;
  /** How often reconcile stored it ({@link sinceStored}). */
  readonly stored: number;
}

/** What the running edit comes from, as if it were the state still; undefined: nothing. */
export function beforeEdit(state: SubscriptionState): SubscriptionState | undefined {
  if (state.from === '') return undefined;
  // What was stored before there were scopes names none, and had none.
  return { ...state, scope: '', ...(JSON.parse(state.from) as Partial<DeliverySpec>), edit: state.edit - 1 };
}

export function stateKey(state: Pick<SubscriptionState, 'collection' | 'uid'>): Key {
  return subscriptionKey(state.collection, state.uid);
}

export interface FirstRowGiven {
  readonly name: ObjectName;
  readonly uid: string;
  readonly spec: SubscriptionSpec;
  readonly generation: number;
  /** Those that its namespaceSelector selects. */
  readonly namespaces?: readonly string[];
  /** By whose rights, and of which objects it may tell at all; where they are not said, of all. */
  readonly author?: string;
  readonly scope?: string;
  /** Which policy its queue is made with ({@link accessOf}); absent: one that names all its consumers. */
  readonly access?: string;
  /** The queue that is to be made, and the resourceVersion of the snapshot, or from which changes are sent. */
  readonly queueName: string;
  readonly head: number;
}

/** A new subscription's row. */
export function firstRow(given: FirstRowGiven): Row {
  const { name, uid, spec, author = '', queueName, head } = given;
  // What is yet to come cannot have been seen.
  const position = typeof spec.start === 'number' ? Math.min(spec.start, head) : head;
  return {
    ...subscriptionKey(spec.target.collection, uid),
    subscription: nameKey(name),
    author,
    standing: '',
    ...selection({ ...given, namespace: name.namespace }),
    step: firstStep(spec),
    position,
    membership: 'catching-up',
    start: 1,
    attempt: 0,
    tally: spec.verified ? EMPTY_DIGEST : '',
    edit: 1,
    from: '',
    boundary: '',
    failures: 0,
    nextAttempt: 0,
    failure: '',
    recall: '',
    suspended: 0,
    access: given.access ?? accessOf({ arns: spec.consumers }),
    accessFailure: '',
    violation: '',
    namespacesFailure: '',
    byObject: spec.byObject,
    queueArn: spec.queueArn,
    token: '',
    tokenSent: 0,
    queueName,
    queueUrl: '',
  };
}

function firstStep({ start, verified }: SubscriptionSpec): Step {
  if (start === 'snapshot') return 'difference';
  return verified ? 'count' : 'journal';
}

export function parseState(row: Row, target: TargetResource): SubscriptionState {
  return {
    ...(row as unknown as SubscriptionState),
    ...(row.edit === undefined ? stateOfOld(row) : {}),
    suspended: Number(row.suspended ?? 0),
    access: String(row.access ?? ''),
    accessFailure: String(row.accessFailure ?? ''),
    namespaces: String(row.namespaces ?? ''),
    author: String(row.author ?? ''),
    standing: String(row.standing ?? ''),
    scope: String(row.scope ?? ''),
    violation: String(row.violation ?? ''),
    namespacesFailure: String(row.namespacesFailure ?? ''),
    tally: String(row.tally ?? ''),
    byObject: row.byObject === true,
    queueArn: String(row.queueArn ?? ''),
    token: String(row.token ?? ''),
    tokenSent: Number(row.tokenSent ?? 0),
    groupBy: String(row.groupBy ?? ''),
    counts: String(row.counts ?? ''),
    stored: Number(row.stored ?? 0),
    uid: row.sk,
    name: parseNameKey(String(row.subscription)),
    collection: target.collection,
  };
}

/** What a row of before edits were counted did not say. Its snapshot was the one difference there was. */
function stateOfOld({ start, step, snapshot, snapshotAfter, position }: Row) {
  const edited = { edit: Number(start), from: '', boundary: '', recall: '' };
  if (step !== 'snapshot') return edited;
  return {
    ...edited,
    step: 'difference',
    position: Number(snapshot) || Number(position),
    boundary: String(snapshotAfter),
  } as const;
}

/**
 * Changes a state row, provided it is still there and `condition` holds. What is undefined is taken off it. Answers
 * whether it was changed.
 */
export async function updateState(
  table: Table,
  state: Pick<SubscriptionState, 'collection' | 'uid'>,
  change: Partial<Omit<Row, 'pk' | 'sk'>>,
  condition: Condition = [],
): Promise<boolean> {
  const entries = Object.entries(change);
  const removed = entries.filter(([, value]) => value === undefined).map(([attribute]) => attribute);
  const set = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const { outcome } = await table.update(stateKey(state), {
    set: set as NonNullable<Update['set']>,
    ...(removed.length > 0 && { remove: removed }),
    condition: [{ attribute: 'sk', is: '=', value: state.uid }, ...condition],
  });
  return outcome === 'done';
}

/**
 * Holds while nothing was stored since `state` was, and of what is stored next when it comes again: a request that
 * got no answer, was repeated and arrives late must not take back what was stored after it.
 */
export function sinceStored({ stored }: SubscriptionState): Clause {
  const before: Clause =
    stored === 0 ? { missing: 'stored' } : { attribute: 'stored', is: '=', value: stored };
  return { any: [before, { attribute: 'stored', is: '=', value: stored + 1 }] };
}

/** What a restart changes: everything is sent anew, as an edit from nothing, and nothing of before counts. */
export function restarted(state: SubscriptionState, step: 'gone' | 'difference') {
  return {
    membership: 'catching-up',
    step,
    position: 0,
    start: state.start + 1,
    attempt: 0,
    tally: state.tally && EMPTY_DIGEST,
    edit: state.edit + 1,
    from: '',
    boundary: '',
    failures: 0,
    nextAttempt: 0,
    recall: '',
  } as const;
}

/** Backing off from a failing queue: 1 s, 2 s, 4 s … a quarter of an hour. */
export function backoff(failures: number): number {
  return Math.min(1_000 * 2 ** failures, 15 * 60_000);
}

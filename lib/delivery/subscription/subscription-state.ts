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
 * The function that advances a subscription. Only the owner of a state changes it.
 *
 * - `catching-up`: reconcile, under the lease on the state row, from the subscription's own position.
 * - `ready`: the subscription has reached the journal's end, and dispatch may activate it.
 * - `synced`: dispatch, under the shard's lease, together with the shard's cursor.
 */
export type Membership = 'catching-up' | 'ready' | 'synced';

/**
 * The next step while catching up.
 *
 * - `count`: count the set where changes begin; the names after the boundary are not counted yet.
 * - `gone`: send the ERROR, so that the consumer forgets what it knows.
 * - `difference`: send an edit's difference for the names after the boundary, at the position. For these names,
 *   nothing after the position was sent under the old selection.
 * - `between`: follow the journal to a head above everything that may have been sent after the position; then
 *   continue with the next difference.
 * - `journal`: follow the journal under one selection.
 */
export type Step = 'count' | 'gone' | 'difference' | 'between' | 'journal';

/** The state of one subscription that dispatch and reconcile store beside its object. */
export interface SubscriptionState extends Selection {
  readonly uid: string;
  /** The author (`printAuthor`), whose permissions determine the scope. `''`: no author, all objects. */
  readonly author: string;
  /** The author's standing for the status (`printStanding`). */
  readonly standing: string;
  readonly name: ObjectName;
  readonly collection: Collection;
  readonly queueName: string;
  /** Empty until the queue exists. */
  readonly queueUrl: string;
  readonly membership: Membership;
  readonly step: Step;
  /** Everything up to this resourceVersion was sent. 0: it restarts, and has no resourceVersion yet. */
  readonly position: number;
  /** How many times it was started, and how many times it was rewound since then: parts of the deduplication id. */
  readonly start: number;
  readonly attempt: number;
  /** The digest of the sent messages when reconcile last owned it ({@link SetDigest}), at position and boundary. */
  readonly tally: SetDigest;
  /** The number of the last or current edit. Every start counts as an edit. */
  readonly edit: number;
  /**
   * The selection before the current edit, as {@link chosen} prints it; '': the edit starts from nothing, or none runs.
   */
  readonly from: string;
  /**
   * In an edit, names up to here follow the new selection, and later names follow the old one. '': no name follows the
   * new one yet.
   */
  readonly boundary: string;
  /** The number of consecutive failed sends, and when to try again (ms since the epoch). */
  readonly failures: number;
  readonly nextAttempt: number;
  /** The human-readable reason why it is not synced. */
  readonly failure: string;
  /** The reason why reconcile requests a state that dispatch owns; '': reconcile does not request it. */
  readonly recall: string;
  /** The generation whose suspension is in effect. 0: none. */
  readonly suspended: number;
  /** The policy of Winnow that its queue has, or is created with ({@link accessOf}); '': none yet. */
  readonly access: string;
  /** Whether the order is kept only within each object. */
  readonly byObject: boolean;
  /** The ARN of a user-owned queue, which is usable once its token is back; '': Winnow creates a queue. */
  readonly queueArn: string;
  /** The token that has to come back through that queue, and the generation for which it was last sent. */
  readonly token: string;
  readonly tokenSent: number;
  /** The human-readable reason why the queue does not have the requested policy. */
  readonly accessFailure: string;
  /** `Stopped` or `Tolerated`, and the human-readable violation of the deployment's rules; '': none. */
  readonly violation: string;
  /** The human-readable reason why it does not follow the namespaces that its selector now selects. */
  readonly namespacesFailure: string;
  /** For a Tally: the label keys of its groups, and its counts, as JSON. Otherwise both are ''. */
  readonly groupBy: string;
  readonly counts: string;
  /** How many times reconcile has stored this row ({@link sinceStored}). */
  readonly stored: number;
}

/** The state before the current edit; undefined: the edit starts from nothing. */
export function beforeEdit(state: SubscriptionState): SubscriptionState | undefined {
  if (state.from === '') return undefined;
  // States from before scopes were introduced have no scope.
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
  /** The namespaces that its namespaceSelector selects. */
  readonly namespaces?: readonly string[];
  /** The author, and the scope of the author's permissions; default: no author, all objects. */
  readonly author?: string;
  readonly scope?: string;
  /** The policy that its queue is created with ({@link accessOf}); absent: the one that names all its consumers. */
  readonly access?: string;
  /** The name of the queue to create, and the resourceVersion of the snapshot or from which changes are sent. */
  readonly queueName: string;
  readonly head: number;
}

/** A new subscription's row. */
export function firstRow(given: FirstRowGiven): Row {
  const { name, uid, spec, author = '', queueName, head } = given;
  // A start above the head is lowered to the head, because no consumer can have seen later changes.
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

/** Converts a row from before Winnow counted edits. Its snapshot was the only kind of difference. */
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
 * Changes a state row if it still exists and `condition` holds. Undefined values remove their attributes. Returns
 * whether the row was changed.
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
 * The condition that nothing was stored since `state`, except the next store itself if its request is repeated. A
 * repeated request without an answer may arrive late. It must not undo later stores.
 */
export function sinceStored({ stored }: SubscriptionState): Clause {
  const before: Clause =
    stored === 0 ? { missing: 'stored' } : { attribute: 'stored', is: '=', value: stored };
  return { any: [before, { attribute: 'stored', is: '=', value: stored + 1 }] };
}

/** The changes of a restart: everything is sent again, as an edit from nothing, and the old progress is void. */
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

/** The delay in ms after failures of a queue: 2 s, 4 s, 8 s … up to a quarter of an hour. */
export function backoff(failures: number): number {
  return Math.min(1_000 * 2 ** failures, 15 * 60_000);
}

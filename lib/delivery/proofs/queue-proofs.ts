import type { Collection } from '../../json/index.ts';
import type { Clock } from '../../platform/index.ts';
import {
  type Condition,
  nameKey,
  proofKey,
  proofPartition,
  type Row,
  subscriptionKey,
  type Table,
} from '../../store/index.ts';
import type { SubscriptionState } from '../subscription/index.ts';

/**
 * In this time, in ms, a queue gets at most one token per Subscription name. Recreating a Subscription resets nothing.
 */
const HOUR = 3_600_000;
/** The most tokens that one queue gets in an hour, from one namespace and from all together. */
const MOST = { ofNamespace: 10, ofAll: 60 };

/** A row: the tokens that one namespace sent to a queue, and its Subscriptions that the queue's owner has accepted. */
interface Proof {
  readonly namespace: string;
  /** The names of Subscriptions, and when the last token of each was sent, in ms since the epoch. */
  readonly sent: Readonly<Record<string, number>>;
  readonly proved: readonly Proved[];
  /** Raised with each change; 0: there is no row. */
  readonly version: number;
}

interface Proved {
  readonly collection: Collection;
  readonly uid: string;
}

export interface ProofOptions {
  readonly table: Table;
  readonly clock: Clock;
}

type Asking = Pick<SubscriptionState, 'queueArn' | 'name' | 'uid' | 'collection'>;

/**
 * Takes the permit to send one token to a queue, before it is sent. So a token that is sent after a crash counts as
 * well.
 *
 * Returns the human-readable reason why it may not be sent; undefined: it may. If a Subscription of another namespace
 * has proved the queue, the queue gets no tokens. The queue's owner reads it already, and tokens of other namespaces
 * could flood it.
 */
export async function takeToken(options: ProofOptions, asking: Asking): Promise<string | undefined> {
  const { table, clock } = options;
  const { queueArn, name } = asking;
  const now = clock.now();
  const proofs = await readProofs(table, queueArn, now);
  const others = proofs.filter(({ namespace }) => namespace !== name.namespace);
  for (const proved of others.flatMap((one) => one.proved)) {
    if (await isProving(table, queueArn, proved)) {
      return `${queueArn} takes no token: a Subscription of another namespace has proved it`;
    }
  }
  const own = ownOf(proofs, name.namespace);
  const last = own.sent[nameKey(name)];
  if (last !== undefined) {
    return `${queueArn} gets one token of this Subscription in an hour: the next one ${inMinutes(last + HOUR - now)}`;
  }
  const counts = proofs.map(({ sent }) => Object.keys(sent).length);
  const isFull = Object.keys(own.sent).length >= MOST.ofNamespace;
  if (isFull || counts.reduce((sum, count) => sum + count, 0) >= MOST.ofAll) {
    return `${queueArn} gets ${MOST.ofNamespace} tokens of one namespace in an hour, and ${MOST.ofAll} of all: try again in an hour`;
  }
  const sent = { ...own.sent, [nameKey(name)]: now };
  const isTaken = await putProof(options, queueArn, { ...own, sent });
  return isTaken ? undefined : `${queueArn} is just getting the token of another Subscription: try again`;
}

/**
 * Returns the permit, because SQS accepted nothing. If this fails, the permit stays taken, and the next token waits for
 * its hour.
 */
export async function returnToken(options: ProofOptions, { queueArn, name }: Asking): Promise<void> {
  const own = ownOf(await readProofs(options.table, queueArn, options.clock.now()), name.namespace);
  const { [nameKey(name)]: _returned, ...sent } = own.sent;
  await putProof(options, queueArn, { ...own, sent });
}

/** Records that a token came back. The Subscription has proved the queue from now on until it is deleted. */
export function noteProved(options: ProofOptions, asking: Asking): Promise<void> {
  const { collection, uid } = asking;
  return changeProved(options, asking, (others) => [...others, { collection, uid }]);
}

/** Removes the proof, because the Subscription is deleted or terminating. */
export function forgetProved(options: ProofOptions, asking: Asking): Promise<void> {
  return changeProved(options, asking, (others) => others);
}

const TRIES = 5;

async function changeProved(
  options: ProofOptions,
  { queueArn, name, uid }: Asking,
  change: (others: readonly Proved[]) => readonly Proved[],
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const own = ownOf(await readProofs(options.table, queueArn, options.clock.now()), name.namespace);
    const proved = change(own.proved.filter((one) => one.uid !== uid));
    if (sameUids(proved, own.proved)) return;
    if (await putProof(options, queueArn, { ...own, proved })) return;
  }
  throw new Error(`other processes keep changing the proof of ${queueArn}`);
}

function sameUids(some: readonly Proved[], others: readonly Proved[]): boolean {
  return some.length === others.length && some.every(({ uid }) => others.some((one) => one.uid === uid));
}

/** Whether a Subscription still sends to the queue that it has proved. The row may outlive the Subscription. */
async function isProving(table: Table, queueArn: string, { collection, uid }: Proved): Promise<boolean> {
  const row = await table.get(subscriptionKey(collection, uid));
  return row !== undefined && row.queueArn === queueArn && row.queueUrl !== '';
}

async function readProofs(table: Table, queueArn: string, now: number): Promise<readonly Proof[]> {
  const proofs: Proof[] = [];
  for (let from: string | undefined = '!'; from !== undefined; ) {
    const { rows, more } = await table.query({ partition: proofPartition(queueArn), from, to: '~' });
    proofs.push(...rows.map((row) => parseProof(row, now)));
    from = more ? `${rows.at(-1)?.sk}!` : undefined;
  }
  return proofs;
}

/** Parses a row without the tokens that are older than an hour. */
function parseProof(row: Row, now: number): Proof {
  const sent: Record<string, number> = JSON.parse(String(row.sent));
  return {
    namespace: row.sk,
    sent: Object.fromEntries(Object.entries(sent).filter(([, time]) => time > now - HOUR)),
    proved: JSON.parse(String(row.proved)),
    version: Number(row.version),
  };
}

function ownOf(proofs: readonly Proof[], namespace: string): Proof {
  return proofs.find((one) => one.namespace === namespace) ?? { namespace, sent: {}, proved: [], version: 0 };
}

/** Writes a proof. Returns whether the row was still as read. A row without proved Subscriptions expires. */
async function putProof({ table, clock }: ProofOptions, queueArn: string, proof: Proof): Promise<boolean> {
  const { namespace, sent, proved, version } = proof;
  const condition: Condition =
    version === 0 ? [{ missing: 'pk' }] : [{ attribute: 'version', is: '=', value: version }];
  const row: Row = {
    ...proofKey(queueArn, namespace),
    sent: JSON.stringify(sent),
    proved: JSON.stringify(proved),
    version: version + 1,
    ...(proved.length === 0 && { ttl: Math.ceil((clock.now() + 2 * HOUR) / 1_000) }),
  };
  const { outcome } = await table.put(row, condition);
  return outcome === 'done';
}

function inMinutes(left: number): string {
  return `in ${Math.max(1, Math.ceil(left / 60_000))} minutes`;
}

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

/** In this time a queue gets one token of each Subscription at most, by its name: making it anew changes nothing. */
const HOUR = 3_600_000;
/** Tokens that one queue gets in an hour, of one namespace and of all together. */
const MOST = { ofNamespace: 10, ofAll: 60 };

/** A row: what one namespace sent to a queue, and which of its Subscriptions the queue's owner has accepted. */
interface Proof {
  readonly namespace: string;
  /** Names of Subscriptions, and when a token of each was sent last, in ms since the epoch. */
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
 * Takes the right to send one token to a queue, before it is sent: what is sent after a crash counts as well.
 *
 * Answers why it may not be sent, in words; undefined: it may. A queue that a Subscription of another namespace has
 * proved takes no tokens: its owner reads it already, and a stranger could flood it.
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

/** Gives the right back: SQS took nothing. What fails keeps it, and the next token waits for its hour. */
export async function returnToken(options: ProofOptions, { queueArn, name }: Asking): Promise<void> {
  const own = ownOf(await readProofs(options.table, queueArn, options.clock.now()), name.namespace);
  const { [nameKey(name)]: _returned, ...sent } = own.sent;
  await putProof(options, queueArn, { ...own, sent });
}

/** Notes that a token came back: the Subscription has proved the queue, from now on until it goes. */
export function noteProved(options: ProofOptions, asking: Asking): Promise<void> {
  const { collection, uid } = asking;
  return changeProved(options, asking, (others) => [...others, { collection, uid }]);
}

/** Forgets that: the Subscription is gone, or going. */
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
  throw new Error(`what is known of ${queueArn} changes all the time`);
}

function sameUids(some: readonly Proved[], others: readonly Proved[]): boolean {
  return some.length === others.length && some.every(({ uid }) => others.some((one) => one.uid === uid));
}

/** Whether a Subscription still sends to the queue that it has proved: a row may outlive it. */
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

/** Without the tokens of more than an hour ago. */
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

/** Whether the row was still what was read. One that proves nothing goes by itself. */
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

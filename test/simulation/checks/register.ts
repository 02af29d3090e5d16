import type { Listing, Operation, Snapshot } from '../history.ts';
import { describeOperation, describeSnapshot } from './describe.ts';
import { selectorOf } from './naive-selector.ts';
import type { Step } from './wing-gong-lowe.ts';

/** The state of one object as its clients may know it. */
export interface Register {
  /** Undefined: it does not exist. */
  readonly present: Present | undefined;
  /** The highest resourceVersion that the object is known to have had. */
  readonly newest: number;
}

/** Uid and resourceVersion are unknown for a write that no reader saw. */
type Present = Omit<Snapshot, 'uid' | 'rv'> & {
  readonly uid: string | undefined;
  readonly rv: number | undefined;
};

export const ABSENT: Register = { present: undefined, newest: 0 };

export function keyOf({ present, newest }: Register): string {
  return `${present?.token} ${present?.rv} ${newest}`;
}

/** What is known of a write besides its request: its place, and the time by which it had taken effect. */
export interface Known {
  readonly snapshot?: Snapshot | undefined;
  readonly rv?: number | undefined;
  readonly seen?: number | undefined;
}

/** A create, update or delete that took effect, or may have. */
export function writeStep(operation: Operation, known: Known): Step<Register> {
  const { invoked, returned, outcome } = operation;
  const ended = outcome === 'ok' ? returned : known.seen;
  return {
    invoked,
    returned: ended ?? Number.POSITIVE_INFINITY,
    changes: true,
    ...(known.rv === undefined ? {} : { order: known.rv }),
    apply: (register) => written(register, operation, known),
    describe: () => describeOperation(operation),
  };
}

function written(register: Register, operation: Operation, { snapshot, rv }: Known): Register | undefined {
  const { kind, object, expected, wrote, answer, outcome } = operation;
  const { present, newest } = register;
  if ((kind === 'create') === (present !== undefined)) return undefined;
  if (expected !== undefined && !isVersion(register, expected)) return undefined;
  if (rv !== undefined && rv <= newest) return undefined;
  if (wrote === undefined) {
    const isLast = outcome !== 'ok' || answer === undefined || answer.token === present?.token;
    return isLast ? { present: undefined, newest: rv ?? newest } : undefined;
  }
  const uid = snapshot?.uid ?? present?.uid;
  if (present?.uid !== undefined && present.uid !== uid) return undefined;
  return { present: { object, uid, rv, ...wrote }, newest: rv ?? newest };
}

/**
 * Whether the object may have this resourceVersion. For an unseen write it is unknown, so any version above the newest
 * may be its own.
 */
function isVersion({ present, newest }: Register, expected: number): boolean {
  return present?.rv === expected || (present?.rv === undefined && expected > newest);
}

/** A get, or a request that was refused because of the object's state. Undefined if the refusal shows nothing. */
export function readStep(operation: Operation): Step<Register> | undefined {
  const holds = findingOf(operation);
  if (holds === undefined) return undefined;
  const { invoked, returned = Number.POSITIVE_INFINITY } = operation;
  return reading({ invoked, returned, holds, describe: () => describeOperation(operation) });
}

function findingOf({ kind, outcome, reason, expected, answer }: Operation): Holds | undefined {
  if (outcome === 'ok') return answer && kind === 'get' ? (present) => isSame(present, answer) : undefined;
  if (reason === 'exists' && kind === 'create') return (present) => present !== undefined;
  if (reason === 'absent' && kind !== 'create') return (present) => present === undefined;
  if (reason === 'conflict' && expected !== undefined) return (present) => present?.rv !== expected;
  return undefined;
}

/** The observation of one object in a recent LIST: it has this state, or it does not exist or does not match. */
export function listStep(listing: Listing, object: string): Step<Register> {
  const item = listing.items.find((one) => one.object === object);
  const selects = selectorOf(listing.asked);
  const { client, invoked, returned, rv } = listing;
  return reading({
    invoked,
    returned,
    holds: (present) =>
      item === undefined
        ? present === undefined || !selects({ ...present, uid: '', rv: 0 })
        : isSame(present, item),
    describe: () =>
      `${client}: list at ${invoked}..${returned}: @${rv}: ${item ? describeSnapshot(item) : 'not in it'}`,
  });
}

/** The state of the object in the table at the end. */
export function finalStep(row: Snapshot | undefined): Step<Register> {
  return reading({
    invoked: Number.POSITIVE_INFINITY,
    returned: Number.POSITIVE_INFINITY,
    holds: (present) => (row === undefined ? present === undefined : isSame(present, row)),
    describe: () => `the table in the end: ${row === undefined ? 'nothing' : describeSnapshot(row)}`,
  });
}

type Holds = (present: Present | undefined) => boolean;

interface Reading {
  readonly invoked: number;
  readonly returned: number;
  readonly holds: Holds;
  describe(): string;
}

function reading({ invoked, returned, holds, describe }: Reading): Step<Register> {
  const apply = (register: Register) => (holds(register.present) ? register : undefined);
  return { invoked, returned, changes: false, apply, describe };
}

function isSame(present: Present | undefined, snapshot: Snapshot): boolean {
  return present?.token === snapshot.token && present.rv === snapshot.rv && present.uid === snapshot.uid;
}

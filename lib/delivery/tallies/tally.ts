import { createHash } from 'node:crypto';
import type { ObjectName } from '../../json/index.ts';
import type { ObjectEvent } from '../../store/index.ts';
import { nameKey, type ObjectState } from '../../store/index.ts';

/**
 * `<sequence>/<count>/<digest>`. '': Winnow keeps no digest.
 *
 * - `sequence`: the number of changes that a subscription was sent since its last start.
 * - `count`: the number of objects in its set after them.
 * - `digest`: the sum modulo 2^128 of {@link digestOf} for these objects, as 32 hexadecimal digits.
 *
 * It depends only on what was sent and in which order, so a repeated message has the same digest.
 */
export type SetDigest = string;

const MODULUS = 1n << 128n;

/** The digest of a subscription that was sent nothing and has an empty set. */
export const EMPTY_DIGEST: SetDigest = written({ sequence: 0, count: 0, digest: 0n });

/** The digest after one more event. */
export function tallyAfter(tally: SetDigest, event: ObjectEvent): SetDigest {
  const { sequence, count, digest } = parse(tally);
  const { objects, sum } = effectOf(event);
  return written({ sequence: sequence + 1, count: count + objects, digest: (digest + sum) % MODULUS });
}

/** The digest of a set with these further objects, for which no messages were sent. */
export function tallyOf(tally: SetDigest, objects: readonly ObjectState[]): SetDigest {
  const { sequence, count, digest } = parse(tally);
  const sum = objects.reduce((total, { name, rv }) => total + digestOf(name, rv), digest);
  return written({ sequence, count: count + objects.length, digest: sum % MODULUS });
}

/** The parts as text: the number of the last change, and the set after it. */
export function setIn(tally: SetDigest): { readonly sequence: string; readonly set: string } {
  const [sequence = '', ...set] = tally.split('/');
  return { sequence, set: set.join('/') };
}

interface Effect {
  /** The change in the number of objects. */
  readonly objects: number;
  readonly sum: bigint;
}

/** A cache, because one event goes to many subscriptions. */
const effects = new WeakMap<ObjectEvent, Effect>();

function effectOf(event: ObjectEvent): Effect {
  const known = effects.get(event);
  if (known !== undefined) return known;
  const { type, object, previous } = event;
  const is = type === 'DELETED' ? 0n : digestOf(object.name, object.rv);
  const was = previous === undefined ? 0n : digestOf(object.name, previous);
  const objects = Number(type !== 'DELETED') - Number(previous !== undefined);
  const effect = { objects, sum: is + MODULUS - was };
  effects.set(event, effect);
  return effect;
}

/** The digest of one object: the first 16 bytes of the SHA-256 of `<namespace>/<name>@<resourceVersion>`. */
function digestOf(name: ObjectName, rv: number): bigint {
  const bytes = createHash('sha256')
    .update(`${nameKey(name)}@${rv}`)
    .digest('hex')
    .slice(0, 32);
  return BigInt(`0x${bytes}`);
}

interface Parts {
  readonly sequence: number;
  readonly count: number;
  readonly digest: bigint;
}

function parse(tally: SetDigest): Parts {
  const [sequence, count, digest] = tally.split('/');
  return { sequence: Number(sequence), count: Number(count), digest: BigInt(`0x${digest}`) };
}

function written({ sequence, count, digest }: Parts): SetDigest {
  return `${sequence}/${count}/${digest.toString(16).padStart(32, '0')}`;
}

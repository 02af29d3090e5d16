import { createHash } from 'node:crypto';
import type { ObjectName } from '../../json/index.ts';
import type { ObjectEvent } from '../../store/index.ts';
import { nameKey, type ObjectState } from '../../store/index.ts';

/**
 * `<sequence>/<count>/<digest>`: how many changes a subscription was told since it began or began anew; how many
 * objects its set has after them; and the sum modulo 2^128 of what each of these is ({@link digestOf}), 32 hexadecimal
 * digits. '': nobody counts.
 *
 * It depends on nothing but what was told and in which order. So a message that is sent again says the same.
 */
export type SetDigest = string;

const MODULUS = 1n << 128n;

/** Of a subscription that was told nothing, with a set that is empty. */
export const EMPTY_DIGEST: SetDigest = written({ sequence: 0, count: 0, digest: 0n });

/** The tally when an event was told after what a tally counts. */
export function tallyAfter(tally: SetDigest, event: ObjectEvent): SetDigest {
  const { sequence, count, digest } = parse(tally);
  const { objects, sum } = effectOf(event);
  return written({ sequence: sequence + 1, count: count + objects, digest: (digest + sum) % MODULUS });
}

/** The tally of a set that has these objects as well, which nobody was told of. */
export function tallyOf(tally: SetDigest, objects: readonly ObjectState[]): SetDigest {
  const { sequence, count, digest } = parse(tally);
  const sum = objects.reduce((total, { name, rv }) => total + digestOf(name, rv), digest);
  return written({ sequence, count: count + objects.length, digest: sum % MODULUS });
}

/** Its parts as texts: the number of the last change, and the set after it. */
export function setIn(tally: SetDigest): { readonly sequence: string; readonly set: string } {
  const [sequence = '', ...set] = tally.split('/');
  return { sequence, set: set.join('/') };
}

interface Effect {
  /** How many more objects the set has. */
  readonly objects: number;
  readonly sum: bigint;
}

/** One event is told to many. */
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

/** Of one object: the first 16 bytes of the SHA-256 of `<namespace>/<name>@<resourceVersion>`. */
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

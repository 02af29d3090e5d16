import { createHash } from 'node:crypto';
import type { Consumer } from '../service/consumer.ts';

/** What a message of a Subscription with `verify: true` says. */
export interface Numbered {
  /** Which start it is of: the second part of its deduplication id. */
  readonly start: string;
  readonly edit: number;
  readonly sequence: number;
  /** `<count>/<digest>`. */
  readonly set: string;
  readonly type: string;
  /** `<namespace>/<name>`. */
  readonly key: string;
  readonly rv: string;
}

export interface NumberedGiven {
  /** The set that the first start begins with, as `<namespace>/<name>` by resourceVersion; empty, where nothing is said. */
  readonly initial?: ReadonlyMap<string, string>;
  /** Whether what follows a gap of a start may be lost; of no one, where nothing is said. */
  readonly isCutOff?: (start: string) => boolean;
}

/**
 * What is wrong with messages that arrived in any order and as often as they like: numbers that two different ones bear
 * or that are missing, and sets that are not those that the messages up to there make.
 */
export function misnumbered(messages: readonly Numbered[], given: NumberedGiven = {}): string[] {
  const { initial = new Map(), isCutOff = () => false } = given;
  const starts = Map.groupBy(messages, ({ start }) => start);
  return [...starts].flatMap(([start, ofIt]) =>
    inStart(ofIt, { initial: start === '1' ? initial : new Map(), isCutOff: isCutOff(start) }),
  );
}

interface Begun {
  readonly initial: ReadonlyMap<string, string>;
  readonly isCutOff: boolean;
}

function inStart(messages: readonly Numbered[], { initial, isCutOff }: Begun): string[] {
  const wrong: string[] = [];
  const byNumber = new Map<number, Numbered>();
  const byContent = new Map<string, number>();
  for (const message of messages) {
    const content = `${message.edit} ${message.type} ${message.key}@${message.rv}`;
    const number = byContent.get(content) ?? message.sequence;
    if (number !== message.sequence) wrong.push(`${describe(message)}, and came as ${number}`);
    byContent.set(content, number);
    const known = byNumber.get(message.sequence);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(message)) {
      wrong.push(`${describe(known)} and ${describe(message)}`);
    }
    byNumber.set(message.sequence, known ?? message);
  }
  const set = new Map(initial);
  for (let number = 1; number <= Math.max(0, ...byNumber.keys()); number += 1) {
    const message = byNumber.get(number);
    // What follows cannot be right.
    if (message === undefined) {
      return isCutOff ? wrong : [...wrong, `start ${messages[0]?.start}: ${number} is missing`];
    }
    set.delete(message.key);
    if (message.type !== 'DELETED') set.set(message.key, message.rv);
    if (setOf(set) !== message.set) wrong.push(`${describe(message)}, and it is ${setOf(set)}`);
  }
  return wrong;
}

/** Those of a consumer. */
export function numbered({ events }: Pick<Consumer, 'events'>): Numbered[] {
  return events.flatMap(({ type, object, attributes, deduplication = '' }) => {
    if (type === 'BOOKMARK' || type === 'ERROR') return [];
    const { namespace = '', name, resourceVersion } = object.metadata;
    const [, start = ''] = deduplication.split('/');
    const { edit, sequence, set = '' } = attributes;
    const said = { start, edit: Number(edit), sequence: Number(sequence), set };
    return [{ ...said, type, key: `${namespace}/${name}`, rv: String(resourceVersion) }];
  });
}

/** `<count>/<digest>` of a set. */
export function setOf(set: ReadonlyMap<string, string>): string {
  let digest = 0n;
  for (const [key, rv] of set) {
    const bytes = createHash('sha256').update(`${key}@${rv}`).digest().subarray(0, 16);
    digest = (digest + BigInt(`0x${bytes.toString('hex')}`)) & ((1n << 128n) - 1n);
  }
  return `${set.size}/${digest.toString(16).padStart(32, '0')}`;
}

function describe({ start, sequence, type, key, rv, set }: Numbered): string {
  return `start ${start}, ${sequence}: ${type} ${key}@${rv} says ${set}`;
}

/** What is wrong with what a consumer received, if it is verified. Of a start that was broken off, the end may be lost. */
export function unprovenOf(consumer: Pick<Consumer, 'events'>): string[] {
  const messages = numbered(consumer).filter(({ set }) => set !== '');
  const last = Math.max(0, ...messages.map(({ start }) => Number(start)));
  return misnumbered(messages, { isCutOff: (start) => Number(start) < last });
}

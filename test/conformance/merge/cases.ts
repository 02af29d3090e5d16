import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/index.ts';
import type { FieldTable, Message } from '../../../lib/kubernetes/fields/index.ts';
import { SeededRandom } from '../../bench/inputs/random.ts';
import { Gardener, type Growing, growingMessage } from '../apply/growing.ts';
import { directed } from './directed.ts';

/**
 * A live object and a patch of it. The patch is given as `patch`, or the package makes it from two objects, or from
 * three with the live one.
 */
export interface Question {
  readonly apiVersion: string;
  readonly kind: string;
  readonly live: JsonObject;
  readonly patch?: JsonObject;
  readonly before?: JsonObject;
  readonly after?: JsonObject;
  readonly threeWay?: boolean;
}

const KINDS = [
  ['v1', 'ConfigMap'],
  ['v1', 'Service'],
  ['v1', 'Pod'],
  ['v1', 'Node'],
  ['v1', 'ServiceAccount'],
  ['v1', 'PersistentVolumeClaim'],
  ['v1', 'ReplicationController'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'StatefulSet'],
  ['apps/v1', 'DaemonSet'],
  ['batch/v1', 'Job'],
  ['batch/v1', 'CronJob'],
  ['networking.k8s.io/v1', 'NetworkPolicy'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['policy/v1', 'PodDisruptionBudget'],
] as const;

const DEPTH = 3;
/**
 * The number of fields of a type that occur in a case: of those that lead to lists, and of others. It is small, so
 * that the objects of a case share fields.
 */
const CHOSEN = { leading: 4, others: 2 };

interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly message: Message;
  readonly growing: Growing;
  readonly parts: readonly Message[];
}

/** The questions of a seed, always the same and in the same order. */
export class Questions {
  readonly #random: SeededRandom;
  readonly #subjects: readonly Subject[];

  constructor(seed: number, table: FieldTable) {
    this.#random = new SeededRandom(seed);
    this.#subjects = KINDS.map((names) => subject(table, names));
  }

  next(): { question: Question; message: Message } {
    const { apiVersion, kind, message, growing, parts } = this.#random.pick(this.#subjects);
    const gardener = new Gardener(this.#random, { wrong: 0, repeated: 0.01 }, this.#choose(parts));
    const named = (value: JsonValue) => ({ ...objectOf(withoutNulls(value)), apiVersion, kind });
    const vary = (object: JsonObject) => named(gardener.vary(growing, object, DEPTH));
    const before = named(gardener.grow(growing, DEPTH));
    const about = { apiVersion, kind, live: this.#random.chance(0.5) ? before : vary(before) };
    if (this.#random.chance(0.6)) {
      const after = vary(before);
      return { question: { ...about, before, after, threeWay: this.#random.chance(0.5) }, message };
    }
    const { apiVersion: _, kind: __, ...patch } = objectOf(gardener.vary(growing, about.live, DEPTH));
    return {
      question: { ...about, patch: directed({ random: this.#random, message, patch, live: before }) },
      message,
    };
  }

  #choose(parts: readonly Message[]): Map<string, readonly string[]> {
    const chosen = new Map<string, readonly string[]>();
    for (const { fields } of parts) {
      const names = [...fields.keys()];
      const leading = names.filter((name) => fields.get(name)?.message ?? fields.get(name)?.merge);
      const others = names.filter((name) => !leading.includes(name));
      chosen.set(names.join(), [
        ...this.#some(leading, CHOSEN.leading),
        ...this.#some(others, CHOSEN.others),
      ]);
    }
    return chosen;
  }

  #some(names: readonly string[], most: number): string[] {
    return this.#random.sample(names, Math.min(names.length, most));
  }
}

function subject(table: FieldTable, [apiVersion, kind]: readonly [string, string]): Subject {
  const message = table.kind(apiVersion, kind);
  if (message === undefined) throw new Error(`no ${kind}`);
  return { apiVersion, kind, message, growing: growingMessage(message), parts: [...partsOf(message)] };
}

/** A type, and all types that it contains. */
function partsOf(message: Message, known = new Set<Message>()): Set<Message> {
  if (known.has(message)) return known;
  known.add(message);
  for (const field of message.fields.values()) if (field.message !== undefined) partsOf(field.message, known);
  return known;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Drops nulls, because stored objects have none: decoding drops them. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}

import type { JsonValue } from '../../../lib/json/index.ts';
import type { Answer } from './lone-world.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const AGE = /^(\d+[smhd]){1,2}$/;
const VERSION = /([Rr]esource ?[Vv]ersion"?[:=]? "?)\d+|(current: )\d+/g;
/** The continue token of a response in YAML. */
const TOKEN = /(\bcontinue: )[\w-]{20,}/g;
/** Fields that show versions and times as numbers. It is declared that these can be seen. */
const VEILED: Readonly<Partial<Record<string, string>>> = {
  resourceVersion: '<version>',
  previousResourceVersion: '<version>',
  continue: '<token>',
};
const NOT_COMPARED: ReadonlySet<string> = new Set(['date', 'audit-id', 'content-length']);

/**
 * The view of one world without values that may differ: resourceVersions, times and random uids. A uid is replaced by
 * the order in which it was first seen.
 */
export class Canonical {
  readonly #uids = new Map<string, string>();

  answer({ status, headers, text }: Answer): JsonValue {
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    const compared = named.filter(([name]) => !NOT_COMPARED.has(name)).sort();
    return {
      status,
      headers: Object.fromEntries(compared.map(([name, value]) => [name, this.#text(value)])),
      body: this.text(text),
    };
  }

  /** The canonical form of a response body, or of a line of a watch. */
  text(text: string): JsonValue {
    try {
      return this.#value(JSON.parse(text) as JsonValue);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return this.#text(text);
    }
  }

  #value(value: JsonValue, key = ''): JsonValue {
    if (Array.isArray(value)) return value.map((one) => this.#value(one, key));
    if (typeof value === 'string' && value !== '') return VEILED[key] ?? this.#text(value);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#value(one, name)]));
  }

  #text(text: string): string {
    return text
      .replace(UUID, (uid) => this.#uidOf(uid))
      .replace(TIME, '<time>')
      .replace(AGE, '<age>')
      .replace(TOKEN, '$1<token>')
      .replace(VERSION, '$1$2<version>');
  }

  #uidOf(uid: string): string {
    const known = this.#uids.get(uid) ?? `<uid ${this.#uids.size}>`;
    this.#uids.set(uid, known);
    return known;
  }
}

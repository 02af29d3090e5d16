import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import type { TransactItem } from '../../../lib/store/index.ts';
import type { World } from '../world/world.ts';
import { BASICS, DECIDING, type Deciding } from './policies.ts';

/** The objects that decide access, by `collection sk`, from one moment to the next change. */
export interface PolicyState {
  /** The virtual ms from which the state is certain. */
  readonly from: number;
  readonly objects: ReadonlyMap<string, JsonObject>;
}

/**
 * An answer to a user, in virtual ms: all its permissions, whether one write is allowed, or the mark that mutating
 * policies set in one.
 */
export type Told = {
  readonly who: string;
  readonly invoked: number;
  readonly returned: number;
} & (
  | { readonly all: readonly string[] }
  | { readonly tag: string; readonly isAllowed: boolean }
  | { readonly mark: string }
);

/**
 * The record of all states of the deciding objects, of the states that clients know of, and of the answers to users.
 */
export class AccessRecord {
  readonly states: PolicyState[] = [{ from: 0, objects: new Map() }];
  /** From `at` on a client knows that this state, or a later one, existed. */
  readonly known: { readonly at: number; readonly state: number }[] = [];
  readonly told: Told[] = [];
  readonly #deciding: readonly Deciding[];

  constructor(deciding: readonly Deciding[] = [...BASICS, ...DECIDING]) {
    this.#deciding = deciding;
  }

  /** Follows the transactions of the table, in the order in which they take place. */
  follow({ table, scheduler }: World): void {
    const rows = new Map(this.#deciding.map((one) => [rowOf(one), keyOf(one)]));
    const keyIn = (item: TransactItem) => {
      const { pk, sk } = 'put' in item ? item.put : 'delete' in item ? item.delete : { pk: '', sk: '' };
      return rows.get(`${pk} ${sk}`);
    };
    table.watchTransactions((items) => {
      for (const item of items) {
        const key = keyIn(item);
        if (key === undefined) continue;
        const objects = new Map(this.states.at(-1)?.objects);
        if ('put' in item) {
          objects.set(key, decodeBody(item.put.body));
        } else {
          objects.delete(key);
        }
        this.states.push({ from: scheduler.now, objects });
      }
    });
  }

  /**
   * The states that may have decided a request between two moments. A state that was over before, as a client knew, is
   * not among them.
   */
  between(since: number, at: number): readonly PolicyState[] {
    const least = Math.max(0, ...this.known.filter((one) => one.at < since).map(({ state }) => state));
    return this.states.slice(least).filter(({ from }, index) => index === 0 || from <= at);
  }

  /** Records an acknowledged write. Its content (`token`; undefined for a deletion) took effect during the request. */
  acknowledge(one: Deciding, { token, invoked, now }: Acknowledged): void {
    const key = keyOf(one);
    const state = this.states.findIndex(({ from, objects }, at) => {
      const before = this.states[at - 1]?.objects.get(key);
      const after = objects.get(key);
      if (from < invoked || before === after) return false;
      return token === undefined ? after === undefined : after !== undefined && tokenOf(after) === token;
    });
    if (state !== -1) this.known.push({ at: now, state });
  }
}

export interface Acknowledged {
  readonly token: string | undefined;
  readonly invoked: number;
  readonly now: number;
}

export const keyOf = ({ collection, sk }: Deciding) => `${collection} ${sk}`;
const rowOf = ({ collection, sk }: Deciding) => `object#${collection} ${sk}`;
const tokenOf = (body: JsonObject) => objectAt(metadataOf(body).annotations ?? {}).token;

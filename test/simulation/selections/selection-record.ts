import { valueAt } from '../../../lib/json/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';
import { decodeBody } from '../../../lib/store/body-codec.ts';
import { sweepsPartition } from '../../../lib/store/index.ts';
import { SERVICES } from '../actors/targets.ts';
import type { World } from '../world/world.ts';

/** One look-up, in virtual ms: who was found to select these labels, each once. */
export interface LookedUp {
  readonly client: string;
  readonly began: number;
  readonly ended: number;
  readonly labels: Labels;
  readonly found: readonly string[];
}

/** What a carrier selected by, from when its row said so; undefined: it selected nothing, or was not there. */
export interface CarrierState {
  readonly from: number;
  readonly text: string | undefined;
}

/** What was asked and answered, and what carriers selected by when. */
export class SelectionRecord {
  readonly lookUps: LookedUp[] = [];
  readonly carriers = new Map<string, CarrierState[]>();
  /** The rows of selectors, marks aside: partition and sort key. */
  readonly rows = new Set<string>();
  /** From when on who selects is found, in virtual ms. */
  findsFrom = 0;

  /** Follows the rows of the table. */
  follow({ table, scheduler }: World, selectsFrom: number | undefined): void {
    if (selectsFrom !== undefined) this.findsFrom = Number.POSITIVE_INFINITY;
    table.watch(({ before, after }) => {
      const { pk, sk } = after ?? before ?? { pk: '', sk: '' };
      if (pk.startsWith('anchor#')) {
        this.#note(`${pk} ${sk}`, after !== undefined && after.moved === undefined);
      }
      if (pk === sweepsPartition && after?.isDone === true) this.#noteDone(scheduler.now);
      if (pk !== `object#${SERVICES}`) return;
      const text = after === undefined ? undefined : valueAt(decodeBody(after.body), 'spec.text');
      const states = this.carriers.get(sk) ?? [];
      states.push({ from: scheduler.now, text: typeof text === 'string' ? text : undefined });
      this.carriers.set(sk, states);
    });
  }

  #noteDone(now: number): void {
    this.findsFrom = Math.min(this.findsFrom, now);
  }

  #note(row: string, isThere: boolean): void {
    if (isThere) {
      this.rows.add(row);
    } else {
      this.rows.delete(row);
    }
  }
}

import { valueAt } from '../../../lib/json/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { sweepsPartition } from '../../../lib/store/index.ts';
import { SERVICES } from '../actors/targets.ts';
import type { World } from '../world/world.ts';

/** One look-up, in virtual ms, with the names of the found carriers, each once. */
export interface LookedUp {
  readonly client: string;
  readonly began: number;
  readonly ended: number;
  readonly labels: Labels;
  readonly found: readonly string[];
}

/** The selector of a carrier, from when its row had it; undefined: it selected nothing, or did not exist. */
export interface CarrierState {
  readonly from: number;
  readonly text: string | undefined;
}

/** The look-ups with their answers, and the selectors of carriers over time. */
export class SelectionRecord {
  readonly lookUps: LookedUp[] = [];
  readonly carriers = new Map<string, CarrierState[]>();
  /** The postings, without marks of moved ones: partition and sort key. */
  readonly rows = new Set<string>();
  /** The virtual ms from which look-ups are complete. */
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

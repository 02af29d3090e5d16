import { objectAt } from '../../../lib/json/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import type { Violation } from '../checks/index.ts';
import type { World } from '../world/world.ts';

/** The number of steps of a circle. */
export const STEPS = 5;
/** The ConfigMaps whose steps move: a policy decides about the first, a webhook about the second. */
export const STEPPED = ['by-policy', 'by-webhook'] as const;
/** How far a step may move. */
export const FORWARD: readonly number[] = [1, 2];

const ROW = 'object#core/configmaps default/';

/** Whether the rule about steps allows a change. */
export function isForward(before: number, after: number): boolean {
  return FORWARD.some((by) => (before + by) % STEPS === after);
}

/** The record of all stored steps. Each change must be one that the rule allows for the step that was stored before. */
export class StepRecord {
  readonly #changes: { readonly name: string; readonly at: number; readonly steps: readonly number[] }[] = [];
  readonly #stored = new Map<string, number>();

  /** Follows the transactions of the table, in the order in which they take place. */
  follow({ table, scheduler }: World): void {
    table.watchTransactions((items) => {
      for (const item of items) {
        if (!('put' in item)) continue;
        const name = STEPPED.find((each) => `${item.put.pk} ${item.put.sk}` === `${ROW}${each}`);
        if (name === undefined) continue;
        const step = Number(objectAt(decodeBody(item.put.body).data).step);
        const before = this.#stored.get(name);
        if (before !== undefined) this.#changes.push({ name, at: scheduler.now, steps: [before, step] });
        this.#stored.set(name, step);
      }
    });
  }

  violations(): Violation[] {
    const wrong = this.#changes.filter(({ steps: [before = 0, after = 0] }) => !isForward(before, after));
    if (wrong.length === 0) return [];
    const message = 'a write was stored that its rule denies for the state before it';
    return [{ check: 'kept-rules', message, evidence: wrong.map((one) => JSON.stringify(one)) }];
  }
}

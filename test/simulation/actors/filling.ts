import type { JsonObject } from '../../../lib/json/index.ts';
import { TIMING } from '../../../lib/platform/index.ts';
import {
  createStore,
  type Filler,
  fillGap,
  parseJournalKey,
  type Table,
  UnavailableError,
} from '../../../lib/store/index.ts';
import { headKey } from '../../../lib/store/keys.ts';
import type { Violation } from '../checks/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { type Given, Lambda } from '../world/lambda.ts';
import type { World } from '../world/world.ts';
import type { Cluster } from './cluster.ts';
import { PODS } from './pods.ts';
import { headOf } from './truth.ts';

/** The function that fills gaps for read-only functions, and a record of its fills. */
export class Filling {
  readonly #world: World;
  readonly #lambda: Lambda<Given>;
  /** When each resourceVersion of pods was allotted, in virtual ms. */
  readonly #allotted = new Map<number, number>();
  readonly #early: string[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#lambda = new Lambda(world, 'fill', (given) => ({ ...given, table: this.#seen(given.table) }));
    const head = headKey(PODS);
    world.table.watch(({ after }) => {
      if (after?.pk !== head.pk || after.sk !== head.sk) return;
      const rv = Number(after.rv);
      if (!this.#allotted.has(rv)) this.#allotted.set(rv, world.scheduler.now);
    });
  }

  readonly filler: Filler = {
    fill: async (gap) => {
      if (!(await this.ask({ ...gap }))) throw new UnavailableError('nobody fills the gap');
    },
  };

  /** Requests a fill. Returns whether it succeeded. */
  async ask(gap: JsonObject): Promise<boolean> {
    const ended = await this.#lambda.invoke(TIMING.fill, ({ table, clock, logger }) =>
      fillGap({ table, clock, logger }, gap),
    );
    return ended.how === 'done';
  }

  /** The dependencies of a read-only process: every write through them fails. */
  readingOnly(given: Given): Given {
    const table = unwritable(given.table);
    return { ...given, table, store: createStore({ ...given, table, filler: this.filler }) };
  }

  /**
   * Checks that no writer counts as dead before its grace is over, and that no fill takes a resourceVersion that was
   * not allotted.
   */
  violations(): Violation[] {
    const message = 'a writer was given up before his time was over';
    return this.#early.length === 0
      ? []
      : [{ check: 'kept-writers', message, evidence: this.#early.slice(0, 5) }];
  }

  #seen(table: Table): Table {
    return {
      ...table,
      put: (row, ...rest) => {
        const { collection, rv = 0 } = parseJournalKey(row) ?? {};
        const { now } = this.#world.scheduler;
        const since = this.#allotted.get(rv);
        if (collection === PODS && (since === undefined || now - since < TIMING.grace)) {
          this.#early.push(`resourceVersion ${rv}, allotted at ${since}, was given up at ${now}`);
        }
        return table.put(row, ...rest);
      },
    };
  }
}

function unwritable(table: Table): Table {
  const refuse = () => Promise.reject(new Error('who only reads has written'));
  return { ...table, put: refuse, update: refuse, delete: refuse, transact: refuse };
}

/**
 * Simulates an attacker that controls a reader. It requests fills for versions of living writers, and for some above
 * the head.
 */
export async function askForNothing(cluster: Cluster, { lasts, rogueFills = 0 }: Scenario): Promise<void> {
  const { chance, scheduler } = cluster.world;
  for (let count = 0; count < rogueFills; count += 1) {
    await scheduler.sleep((chance.next() * lasts * 2) / rogueFills);
    const from = Math.max(2, headOf(cluster.world, PODS) + chance.below(6) - 3);
    void cluster.filling?.ask({ collection: PODS, from, to: from + chance.below(3) });
  }
}

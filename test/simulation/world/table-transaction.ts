import type { TransactItem } from '../../../lib/store/index.ts';
import { targetOf } from '../../support/store/memory-table.ts';
import type { Surroundings } from './surroundings.ts';
import type { TableRows } from './table-rows.ts';

export interface Transaction {
  readonly items: readonly TransactItem[];
  /** Called when the transaction holds its rows: from then on it will take place, before all that need one of them. */
  certain(): void;
  done(outcome: 'committed' | 'cancelled'): void;
}

/**
 * Runs one transaction. It holds all rows at one moment, or is cancelled. Then its rows become readable one by one. It
 * may be slow before it holds them (other writers may commit meanwhile), or after (they wait).
 */
export function transact(world: Surroundings, rows: TableRows, { items, certain, done }: Transaction): void {
  const { scheduler, chance, faults } = world;
  const slow = chance.chance(faults.slowTransaction) ? chance.within(faults.slowFor) : 0;
  const isSlowFirst = chance.chance(0.5);
  scheduler.after(isSlowFirst ? slow : 0, () => {
    if (!holdAll(rows, items)) return done('cancelled');
    certain();
    scheduler.after(1 + chance.next() * 6 + (isSlowFirst ? 0 : slow), () =>
      applyOneByOne(world, rows, items, () => done('committed')),
    );
  });
}

function holdAll(rows: TableRows, items: readonly TransactItem[]): boolean {
  const targets = items.map((item) => ({ key: targetOf(item), condition: item.condition }));
  const isFree = targets.every(({ key, condition }) => !rows.isHeld(key) && rows.holds(key, condition));
  if (isFree) for (const { key } of targets) rows.hold(key);
  return isFree;
}

function applyOneByOne(
  { scheduler, chance, faults }: Surroundings,
  rows: TableRows,
  items: readonly TransactItem[],
  done: () => void,
): void {
  const isTorn = (item: TransactItem) => faults.tearsAnchors || !targetOf(item).pk.startsWith('anchor#');
  const torn = items.filter(isTorn);
  let left = torn.length;
  const spread = chance.within(faults.spread);
  for (const item of torn) {
    scheduler.after(chance.next() * spread, () => {
      apply(rows, item);
      left -= 1;
      if (left > 0) return;
      for (const other of items) if (!isTorn(other)) apply(rows, other);
      done();
    });
  }
}

function apply(rows: TableRows, item: TransactItem): void {
  rows.release(targetOf(item));
  if ('put' in item) {
    rows.set(item.put);
  } else if ('delete' in item) {
    rows.remove(item.delete);
  } else if ('update' in item) rows.change(item.update, item);
}

import type { Table } from '../../../lib/store/index.ts';

export interface CountedTable {
  readonly table: Table;
  /** Whether calls of it are under way: then time that a test owns must not go on. */
  isBusy(): boolean;
}

/** The table, and whether it is at work. */
export function countedTable(table: Table): CountedTable {
  let calls = 0;
  const counting = (member: unknown) => {
    if (typeof member !== 'function') return member;
    return async (...given: unknown[]) => {
      calls += 1;
      try {
        return await Reflect.apply(member, table, given);
      } finally {
        calls -= 1;
      }
    };
  };
  const proxy = new Proxy(table, { get: (target, name) => counting(Reflect.get(target, name)) });
  return { table: proxy, isBusy: () => calls > 0 };
}

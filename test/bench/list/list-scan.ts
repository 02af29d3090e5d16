import type { Collection } from '../../../lib/json/index.ts';
import type { Selector } from '../../../lib/selectors/index.ts';
import type { Row, Table } from '../../../lib/store/index.ts';

export interface Scanned {
  readonly names: readonly string[];
  readonly rows: number;
  readonly milliseconds: number;
}

const PAGE = 1_000;

/** What a LIST without an index is at its best: every row of the collection once, those that match kept. */
export async function scan(table: Table, collection: Collection, selector: Selector): Promise<Scanned> {
  const began = performance.now();
  const found: Row[] = [];
  let rows = 0;
  for (let from: string | undefined = '!'; from !== undefined; ) {
    const page = await table.query({ partition: `object#${collection}`, from, to: '~', limit: PAGE });
    rows += page.rows.length;
    found.push(...page.rows.filter((row) => selector.matches(JSON.parse(String(row.labels)))));
    from = page.more ? `${page.rows.at(-1)?.sk}!` : undefined;
  }
  return { names: found.map(({ sk }) => sk), rows, milliseconds: performance.now() - began };
}

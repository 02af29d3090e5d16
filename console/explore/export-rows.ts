import type { ReadonlySignal } from '@preact/signals';
import type { KindInfo, Row } from '../api/index.ts';
import { type MenuItem, saveFile } from '../widgets/index.ts';
import type { LiveTable } from './live-table.ts';
import { csvOf, jsonOf } from './texts-of-rows.ts';

/** The ways to save the rows that the page has. */
export function exportItems(
  kind: KindInfo,
  live: LiveTable,
  rows: ReadonlySignal<readonly Row[]>,
): MenuItem[] {
  const note = () => {
    const [here, all] = [rows.peek().length, live.count.peek()];
    return here < all ? `the first ${here.toLocaleString('en')}` : `${here.toLocaleString('en')} rows`;
  };
  return [
    {
      text: 'CSV',
      note: note(),
      act: () => saveFile(`${kind.plural}.csv`, 'text/csv', csvOf(live.columns.peek(), rows.peek())),
    },
    {
      text: 'JSON',
      note: note(),
      act: () =>
        saveFile(`${kind.plural}.json`, 'application/json', jsonOf(kind, live.version.peek(), rows.peek())),
    },
  ];
}

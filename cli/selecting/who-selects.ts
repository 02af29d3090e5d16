import { askItems } from './ask-items.ts';
import type { SelectingOptions } from './options.ts';
import { printRows } from './print-rows.ts';
import { textAt } from './text-at.ts';

const HEADERS = ['KIND', 'NAMESPACE', 'NAME', 'SELECTOR'];

/** Prints the objects whose selectors match an object. */
export async function whoSelects(object: string, options: SelectingOptions): Promise<void> {
  const items = await askItems(object, { ...options, subresource: 'selectedby' });
  const rows = items.map((item) => [
    textAt(item, 'carrier.kind'),
    textAt(item, 'metadata.namespace') || '-',
    textAt(item, 'metadata.name'),
    textAt(item, 'selector') || '<everything>',
  ]);
  printRows(
    options.output === 'json' ? items : { headers: HEADERS, rows, none: `nothing selects ${object}` },
  );
}

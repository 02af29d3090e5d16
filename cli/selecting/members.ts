import { askItems } from './ask-items.ts';
import type { SelectingOptions } from './options.ts';
import { printRows } from './print-rows.ts';
import { textAt } from './text-at.ts';

const HEADERS = ['NAMESPACE', 'NAME', 'LABELS'];

/** Prints the objects that an object selects. */
export async function members(object: string, options: SelectingOptions): Promise<void> {
  const items = await askItems(object, { ...options, subresource: 'selected' });
  const rows = items.map((item) => [
    textAt(item, 'metadata.namespace') || '-',
    textAt(item, 'metadata.name'),
    labelsOf(item.metadata),
  ]);
  printRows(
    options.output === 'json' ? items : { headers: HEADERS, rows, none: `${object} selects nothing now` },
  );
}

function labelsOf(metadata: unknown): string {
  const { labels = {} } = metadata as { labels?: Record<string, string> };
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

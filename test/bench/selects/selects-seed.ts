import { join } from 'node:path';
import type { Collection, JsonObject } from '../../../lib/json/index.ts';
import { systemClock } from '../../../lib/platform/index.ts';
import { everyField, parseSelector } from '../../../lib/selectors/index.ts';
import { type CarriedSelector, createStore, type Row, type Table } from '../../../lib/store/index.ts';
import { createStrictLogger } from '../../support/store/store-fixture.ts';
import { importTable } from '../import-table.ts';
import type { ExportTable } from '../list/export-table.ts';
import type { SelectsCase } from './selects-cases.ts';

/** Raise it whenever the carriers or the rows change: an older seed is not used again. */
const GENERATION = 1;

export const CARRIERS: Collection = 'core/services';
export const TARGET: Collection = 'core/pods';
export const NAMESPACE = 'default';

/** A folder with a table of so many carriers, made once. The rows are what the store itself writes. */
export function selectsFolder(cache: string, asked: SelectsCase, selectors: number): Promise<string> {
  const kind = asked.name.replaceAll(/\W+/g, '-');
  const folder = join(cache, `selects-${GENERATION}`, kind, String(selectors));
  return importTable(folder, async (table) => {
    const outside = { clock: systemClock, random: { uuid: () => '', fraction: () => 0, suffix: () => '' } };
    const store = createStore({ ...outside, table: withAnchors(table), logger: createStrictLogger() });
    for (let index = 0; index < selectors; index += 1) {
      const name = { namespace: NAMESPACE, name: `s${index}` };
      const body = serviceOf(name.name, asked.selector(index));
      await store.write(CARRIERS, name, () => ({ kind: 'put', body, selects: carriedOf(body) }));
      table.forgetJournal();
      await table.settleLast();
    }
  });
}

/** What such a carrier selects. */
export function carriedOf({ spec }: JsonObject): readonly CarriedSelector[] {
  const { text } = spec as { readonly text: string };
  const asked = { path: 'spec.selector', target: TARGET, namespaces: [NAMESPACE], fields: everyField };
  return [{ ...asked, selector: parseSelector(text) }];
}

function serviceOf(name: string, text: string): JsonObject {
  const metadata = { name, namespace: NAMESPACE, uid: `uid-${name}`, labels: { app: name } };
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { text, ports: [{ port: 80 }] } };
}

/** The table answers how many rows a partition of the reverse index has: by that the store chooses among several. */
function withAnchors(table: ExportTable): Table {
  const partitions = new Map<string, Row[]>();
  return {
    get: (key) => table.get(key),
    batchGet: table.batchGet,
    put: table.put,
    delete: table.delete,
    update: table.update,
    query: async ({ partition, limit }) => {
      const rows = partitions.get(partition) ?? [];
      return { rows: rows.slice(0, limit), more: rows.length > (limit ?? rows.length) };
    },
    transact: async (items) => {
      for (const item of items) {
        if (!('put' in item) || !item.put.pk.startsWith('anchor#')) continue;
        const rows = partitions.get(item.put.pk) ?? [];
        partitions.set(item.put.pk, rows);
        rows.push(item.put);
      }
      return table.transact(items);
    },
  };
}

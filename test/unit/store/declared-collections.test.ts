import { describe, expect, it } from '@jest/globals';
import {
  declareCollection,
  forgetCollection,
  readDeclared,
} from '../../../lib/store/declared-collections.ts';
import type { DeclaredCollection, Table } from '../../../lib/store/index.ts';
import { createMemoryTable } from '../../support/store/memory-table.ts';

/** A table that answers a query with a row at a time, and takes a moment for what it writes. */
function createSmallPages(): { readonly table: Table; readonly queries: () => number } {
  const table = createMemoryTable();
  let queries = 0;
  const slowly = async <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    return answer();
  };
  return {
    queries: () => queries,
    table: {
      ...table,
      query: async (request) => {
        queries += 1;
        const { rows } = await table.query(request);
        return { rows: rows.slice(0, 1), more: rows.length > 1 };
      },
      put: (...request) => slowly(() => table.put(...request)),
      delete: (...request) => slowly(() => table.delete(...request)),
    },
  };
}

const declared = (name: string, time = 1): DeclaredCollection => ({
  collection: `example.com/${name}`,
  apiVersion: 'example.com/v1',
  kind: name,
  namespaced: name !== 'planets',
  fields: ['spec.size'],
  time,
});

describe('declared collections', () => {
  it('are read as they were declared, page by page', async () => {
    const { table, queries } = createSmallPages();
    expect(await readDeclared(table)).toEqual([]);
    expect(queries()).toBe(1);
    const all = ['gadgets', 'planets', 'widgets'].map((name) => declared(name));
    for (const one of all) await declareCollection(table, one);
    expect(await readDeclared(table)).toEqual(all);
    expect(queries()).toBe(4);
  });

  it('are removed, unless they were declared again', async () => {
    const { table } = createSmallPages();
    await declareCollection(table, declared('widgets', 2));
    await forgetCollection(table, declared('widgets', 1));
    expect(await readDeclared(table)).toHaveLength(1);
    await forgetCollection(table, declared('widgets', 2));
    expect(await readDeclared(table)).toEqual([]);
  });
});

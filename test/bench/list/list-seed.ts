import { execFile } from 'node:child_process';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBinary } from '../../../infra/local/database-binary.ts';
import { systemClock } from '../../../lib/platform/index.ts';
import { type Collection, createStore, nameKey, type Store } from '../../../lib/store/index.ts';
import { createStrictLogger } from '../../support/store/store-fixture.ts';
import { tableDefinition } from '../../support/store/table.ts';
import { ExportTable } from './export-table.ts';
import { labelsOf, nameOf, podOf } from './list-objects.ts';

const execute = promisify(execFile);

/** Raise it whenever the objects or the rows change: an older seed is not used again. */
const GENERATION = 2;

export const COLLECTION: Collection = 'core/pods';
/** When the objects were relabelled last; all else is a day older. */
export const RELABELLED = Date.UTC(2026, 0, 2);
const CREATED = RELABELLED - 24 * 3_600_000;
/** How many changes of labels there are at that time, over all objects evenly. */
export const RELABELS = 15_000;

/**
 * A folder with a table of `objects` objects, made once. The rows are what the store itself writes: its own
 * transactions go into an export in DynamoDB's format, which the embedded database imports. What a table has
 * forgotten after a day is left out: the journal and the relabel entries of the creates, which are compacted.
 */
export async function seededFolder(cache: string, objects: number): Promise<string> {
  const folder = join(cache, `list-${GENERATION}`, String(objects));
  if (await exists(join(folder, 'table.sqlite'))) return folder;
  await mkdir(folder, { recursive: true });
  const source = join(folder, 'export');
  const output = join(folder, 'new.sqlite');
  // What an interrupted run left.
  await rm(source, { recursive: true, force: true });
  await exportRows(source, objects);
  const schema = join(folder, 'schema.json');
  await writeFile(schema, JSON.stringify({ Table: tableDefinition }));
  const program = findBinary();
  if (program === undefined) throw new Error('the embedded DynamoDB, which imports, is for Linux on x64');
  await execute(program, ['import', '--source', source, '--schema', schema, '--output', output, '--force']);
  await rm(source, { recursive: true });
  await rename(output, join(folder, 'table.sqlite'));
  return folder;
}

async function exportRows(folder: string, objects: number): Promise<void> {
  const table = new ExportTable(join(folder, tableDefinition.TableName, 'data'));
  const at = { now: CREATED };
  const clock = { ...systemClock, now: () => at.now };
  const random = { uuid: () => '', fraction: () => 0, suffix: () => '' };
  const store = createStore({ table, clock, random, logger: createStrictLogger() });
  const relabelled = relabelledObjects(objects);
  const later = new Set(relabelled);
  for (let index = 0; index < objects; index += 1) {
    await write(store, objects, index);
    table.forgetJournal();
    if (!later.has(index)) await table.settleLast();
  }
  const head = await store.head(COLLECTION);
  await store.raise(COLLECTION, 'settled', head);
  await store.raise(COLLECTION, 'compacted', head);
  at.now = RELABELLED;
  for (const [turn, index] of relabelled.entries()) await write(store, objects, index, `t${turn}`);
  await table.finish();
}

/** Evenly over all objects; each several times where they are few. */
function relabelledObjects(objects: number): number[] {
  return Array.from({ length: RELABELS }, (_, turn) =>
    objects < RELABELS ? turn % objects : Math.floor((turn * objects) / RELABELS),
  );
}

async function write(store: Store, objects: number, index: number, turn?: string): Promise<void> {
  const labels = { ...labelsOf(index, objects), ...(turn !== undefined && { turn }) };
  const name = nameOf(index);
  await store.write(COLLECTION, name, () => ({ kind: 'put', body: podOf(name, nameKey(name), labels) }));
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

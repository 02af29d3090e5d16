import { execFile } from 'node:child_process';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBinary } from '../../infra/local/data/database-binary.ts';
import { tableDefinition } from '../support/store/table.ts';
import { ExportTable } from './list/export-table.ts';

const execute = promisify(execFile);

/**
 * Makes a table in a folder out of what `fill` writes, unless it is there: an export in DynamoDB's format, which the
 * embedded database imports.
 */
export async function importTable(
  folder: string,
  fill: (table: ExportTable) => Promise<void>,
): Promise<string> {
  if (await exists(join(folder, 'table.sqlite'))) return folder;
  await mkdir(folder, { recursive: true });
  const source = join(folder, 'export');
  const output = join(folder, 'new.sqlite');
  // What an interrupted run left.
  await rm(source, { recursive: true, force: true });
  const table = new ExportTable(join(source, tableDefinition.TableName, 'data'));
  await fill(table);
  await table.finish();
  const schema = join(folder, 'schema.json');
  await writeFile(schema, JSON.stringify({ Table: tableDefinition }));
  const program = findBinary();
  if (program === undefined) throw new Error('the embedded DynamoDB, which imports, is for Linux on x64');
  await execute(program, ['import', '--source', source, '--schema', schema, '--output', output, '--force']);
  await rm(source, { recursive: true });
  await rename(output, join(folder, 'table.sqlite'));
  return folder;
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** `npm run settings`: writes what is made of the table of settings into the documentation. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withSettingsTable } from './docs-table.ts';

const page = join(import.meta.dirname, '../../docs/deploy/README.md');
await writeFile(page, withSettingsTable(await readFile(page, 'utf8')));

/** `npm run settings`: writes what is made of the table of settings: its rows in the documentation, and the JSON schema. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SETTINGS_SCHEMA } from './config-file.ts';
import { withSettingsTable } from './docs-table.ts';
import { settingsSchema } from './schema.ts';

const page = join(import.meta.dirname, '../../docs/deploy/README.md');
await writeFile(page, withSettingsTable(await readFile(page, 'utf8')));
await writeFile(SETTINGS_SCHEMA, `${JSON.stringify(settingsSchema(), null, 2)}\n`);

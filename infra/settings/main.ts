/** `npm run settings`: writes the table of settings in docs/deploy/README.md, and the JSON schema. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SETTINGS_SCHEMA } from './config-file.ts';
import { withSettingsTable } from './docs-table.ts';
import { settingsSchema } from './schema.ts';

const page = join(import.meta.dirname, '../../docs/deploy/README.md');
await writeFile(page, withSettingsTable(await readFile(page, 'utf8')));
await writeFile(SETTINGS_SCHEMA, `${JSON.stringify(settingsSchema(), null, 2)}\n`);

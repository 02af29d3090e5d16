import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../infra/bundle/index.ts';
import type { Outcome } from './client.ts';
import { CLIENTS } from './clients.ts';
import type { Report } from './try-client.ts';

const PAGE = join(root, 'docs/clients.md');
const BLOCK = /(<!-- clients -->\n)(.*?)(<!-- \/clients -->)/s;
const HEAD = '| name | client | works | does not work |\n|---|---|---|---|\n';

/** Writes the rows of the clients that were tried; those of the others stay as an earlier run wrote them. */
export async function writeTable(reports: readonly Report[]): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  await writeFile(
    PAGE,
    page.replace(BLOCK, (_, begin: string, before: string, end: string) => {
      const rows = CLIENTS.map(({ name }) => {
        const report = reports.find(({ client, missing }) => client.name === name && missing === undefined);
        return report === undefined ? rowOf(before, name) : row(report);
      });
      return `${begin}${HEAD}${rows.join('')}${end}`;
    }),
  );
}

function rowOf(table: string, name: string): string {
  const start = firstCell(name);
  const line = table.split('\n').find((one) => one.startsWith(start));
  return line === undefined ? '' : `${line}\n`;
}

function row({ client, outcomes }: Report): string {
  const listed = (some: readonly Outcome[]) => some.map(({ behaviour }) => behaviour).join('<br>') || '–';
  const works = outcomes.filter(({ error }) => error === undefined);
  const fails = outcomes.filter(({ error }) => error !== undefined);
  return `${firstCell(client.name)} ${client.title} | ${listed(works)} | ${listed(fails)} |\n`;
}

const firstCell = (name: string) => `| \`${name}\` |`;

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { Architecture } from '../../lint/architecture/architecture.ts';

type Rooms = Architecture['rooms'];

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/architecture/README.md');
const { rooms }: Architecture = JSON.parse(read('architecture.json'));

/** The rows of the table whose last head is "may import": each a room, and the rooms that it may import. */
function rowsOf(text: string): readonly (readonly [room: string, imports: readonly string[]])[] {
  const [, table = ''] = /^\|.*\| may import \|\n\|[-|]+\|\n((?:\|.*\n)*)/m.exec(text) ?? [];
  return table.split('\n').flatMap((row) => {
    const cells = row.split('|').map((cell) => cell.trim());
    const [room = '', imports = ''] = [cells.at(1), cells.at(-2)].map((cell) => cell?.replaceAll('`', ''));
    return room === '' ? [] : [[room, imports.split(', ').filter((name) => name !== '')] as const];
  });
}

/** The differences between the table and the rooms. Each names its room. */
function faultsOf(text: string, known: Rooms): readonly string[] {
  const rows = rowsOf(text);
  const missing = Object.keys(known).filter((room) => !rows.some(([name]) => name === room));
  const told = rows.flatMap(([room, imports], index) => {
    const allowed = known[room];
    if (allowed === undefined) return [`${room}: the table has a row, architecture.json has no such room`];
    if (rows.findIndex(([name]) => name === room) !== index) return [`${room}: the table has two rows`];
    if (allowed.join(', ') === imports.join(', ')) return [];
    return [`${room}: the table says [${imports.join(', ')}], architecture.json [${allowed.join(', ')}]`];
  });
  return [...missing.map((room) => `${room}: the table has no row`), ...told];
}

/** A page with a table of these rows. */
function pageOf(...rows: readonly string[]): string {
  return `${['# Map', '', '| room | holds | may import |', '|---|---|---|', ...rows].join('\n')}\n\nEnd.\n`;
}

const SMALL: Rooms = { 'lib/ground': [], 'lib/store': ['ground', 'json'] };
const GROUND = '| `lib/ground` | values |  |';
const STORE = '| `lib/store` | rows | `ground`, `json` |';

describe('The table of rooms', () => {
  it('The table in docs/architecture/README.md has the rooms and imports of architecture.json', () => {
    expect(rowsOf(page).length).toBeGreaterThan(15);
    expect(faultsOf(page, rooms)).toEqual([]);
  });

  it.each(Object.keys(rooms))('The check names the room %s if its row is wrong', (room) => {
    const row = new RegExp(`^(\\| \`${room}\` \\|.*\\| ).*$`, 'm');
    expect(faultsOf(page.replace(row, '$1`lib/nowhere` |'), rooms)).toEqual([
      `${room}: the table says [lib/nowhere], architecture.json [${rooms[room]?.join(', ')}]`,
    ]);
  });

  it('The check accepts a table that agrees', () => {
    expect(faultsOf(pageOf(GROUND, STORE), SMALL)).toEqual([]);
  });

  it.each([
    [
      'misses an import',
      pageOf(GROUND, '| `lib/store` | rows | `ground` |'),
      'lib/store: the table says [ground], architecture.json [ground, json]',
    ],
    [
      'has an import too many',
      pageOf('| `lib/ground` | values | `json` |', STORE),
      'lib/ground: the table says [json], architecture.json []',
    ],
    ['misses a room', pageOf(GROUND), 'lib/store: the table has no row'],
    [
      'has an unknown room',
      pageOf(GROUND, STORE, '| `lib/old` | nothing |  |'),
      'lib/old: the table has a row, architecture.json has no such room',
    ],
    ['has a room twice', pageOf(GROUND, STORE, STORE), 'lib/store: the table has two rows'],
  ])('The check names the room of a table that %s', (_, text, fault) => {
    expect(faultsOf(text, SMALL)).toEqual([fault]);
  });
});

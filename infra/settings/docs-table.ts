import { basename } from 'node:path';
import type { Setting } from './setting.ts';
import { SETTINGS } from './table.ts';

const BEGIN = '<!-- settings: written by npm run settings -->';
const END = '<!-- end of settings -->';

/**
 * Replaces the table of settings in a page, between two comments.
 *
 * @throws {Error} the page does not have these comments.
 */
export function withSettingsTable(page: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`the page has no ${BEGIN} before ${END}`);
  return `${page.slice(0, from)}${BEGIN}\n\n${settingsTable()}\n\n${page.slice(to)}`;
}

function settingsTable(): string {
  const rows = Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => rowOf(name, setting));
  return ['| name | default | |', '|---|---|---|', ...rows].join('\n');
}

function rowOf(name: string, { description, page, shownFallback }: Setting<unknown>): string {
  const [path = '', anchor = ''] = page?.split('#') ?? [];
  const words = (anchor || basename(path, '.md')).replaceAll('-', ' ');
  const link = page === undefined ? '' : ` See [${words}](${page}).`;
  return `| \`${name}\` | ${shownFallback} | ${description}${link} |`;
}

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const code = globSync(['lib/**/*.ts', 'functions/**/*.ts'], { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

/** The messages in the table of log messages, by its first column. */
function messagesOf(page: string): string[] {
  const table = page.split('\n| message | meaning |\n')[1]?.split('\n\n')[0] ?? '';
  const columns = table.split('\n').map((row) => row.split(' | ')[0] ?? '');
  return columns.flatMap((column) => [...column.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message));
}

it('The code logs each message of the table in the runbook', () => {
  const messages = messagesOf(readFileSync(join(root, 'docs/runbook.md'), 'utf8'));
  expect(messages.length).toBeGreaterThan(10);
  expect(messages.filter((message) => !code.includes(`'${message}'`))).toEqual([]);
});

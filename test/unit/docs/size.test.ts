import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));
const pages = globSync('**/*.md', { cwd: docs, exclude: (name) => name.includes('node_modules') });

/** The most words of all pages together, outside code blocks. */
const MOST_WORDS = 55_000;
const MOST_WORDS_OF_ARCHITECTURE_PAGE = 1_200;

function wordsOf(page: string): number {
  const text = readFileSync(join(docs, page), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  return text.split(/\s+/).filter((word) => /[a-z0-9]/i.test(word)).length;
}

it('The documentation has at most 55,000 words', () => {
  const words = pages.map(wordsOf).reduce((sum, one) => sum + one, 0);
  expect(words).toBeGreaterThan(MOST_WORDS / 2);
  expect(words).toBeLessThanOrEqual(MOST_WORDS);
});

it.each(pages.filter((page) => page.startsWith('architecture/')))(
  'The page %s has at most 1,200 words',
  (page) => {
    expect(wordsOf(page)).toBeLessThanOrEqual(MOST_WORDS_OF_ARCHITECTURE_PAGE);
  },
);

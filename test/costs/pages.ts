import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../infra/bundle/files.ts';
import { billOf } from './bill.ts';
import { type Blocks, blocksOf, fillPage } from './blocks.ts';
import { type Counts, countAll } from './counts.ts';
import { PRICES } from './prices.ts';

export interface Page {
  readonly file: string;
  readonly text: string;
  /** With what the blocks ought to be. */
  readonly due: string;
}

/** The pages, what stands in their blocks, and what that comes from. */
export interface Pages {
  readonly pages: readonly Page[];
  readonly blocks: Blocks;
  readonly counts: Counts;
}

/** Pages that say what something costs. */
const PAGES = ['docs/deploy/costs.md', 'docs/deploy/aws.md'];

/** Counts, prices them, and compares. */
export async function readPages(): Promise<Pages> {
  const counts = await countAll();
  const blocks = blocksOf(counts, billOf(counts, PRICES), PRICES);
  const pages = PAGES.map(async (name): Promise<Page> => {
    const file = join(root, name);
    const text = await readFile(file, 'utf8');
    return { file, text, due: fillPage(text, blocks) };
  });
  return { pages: await Promise.all(pages), blocks, counts };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { editedFiles, MUTATIONS, recordedSeeds } from './index.ts';

describe('the table of mutations', () => {
  it.each(MUTATIONS)('changes code that is there today: $name', async (mutation) => {
    const edited = await editedFiles(mutation);
    expect(edited.size).toBeGreaterThan(0);
  });

  it('has a recorded seed for known mutations only', async () => {
    const names = MUTATIONS.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(await recordedSeeds())));
  });

  it('is what the README beside it lists', async () => {
    const text = await readFile(join(import.meta.dirname, 'README.md'), 'utf8');
    const listed = [...text.matchAll(/^- `([^`]+)`: /gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(MUTATIONS.map(({ name }) => name).sort());
  });
});

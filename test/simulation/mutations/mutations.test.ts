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
});

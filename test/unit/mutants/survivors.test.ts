import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { mutantsOf } from '../../mutants/mutants-of.ts';
import { pageOf } from '../../mutants/page.ts';
import { SURVIVORS } from '../../mutants/survivors/index.ts';
import { mutatedFiles, ROOT, sourceOf } from '../../mutants/targets.ts';

const listed = SURVIVORS.flatMap(({ mutants }) => mutants);

describe('The list of surviving mutants', () => {
  it('The survivors are mutants of the current code', async () => {
    const sites = (await mutatedFiles()).flatMap((file) => mutantsOf(file, sourceOf(file)));
    const present = new Set(sites.flatMap(({ mutants }) => mutants.map(({ id }) => id)));
    expect(listed.filter((id) => !present.has(id))).toEqual([]);
  });

  it('Each survivor is listed once', () => {
    expect(listed).toEqual([...new Set(listed)]);
  });

  it('The survivors are those that docs/mutants.md lists', async () => {
    expect(await readFile(join(ROOT, 'docs/mutants.md'), 'utf8')).toBe(pageOf(SURVIVORS));
  });
});

import { describe, expect, it } from '@jest/globals';
import { mutantsOf } from '../../mutants/mutants-of.ts';
import { SURVIVORS } from '../../mutants/survivors/index.ts';
import { mutatedFiles, sourceOf } from '../../mutants/targets.ts';

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
});

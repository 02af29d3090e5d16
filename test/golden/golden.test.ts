import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { intendedDifferences } from './intended-differences.ts';
import { knownDifferences, openDifferences } from './open-differences.ts';
import { RECORDINGS, type RecordingName } from './recording.ts';
import { replay } from './replay.ts';
import { scoreOf } from './score.ts';

/** The replays by recording. The first test that needs a replay starts it. */
const begun = new Map<RecordingName, ReturnType<typeof replay>>();
const replayed = (name: RecordingName): ReturnType<typeof replay> => {
  const one = begun.get(name) ?? replay(name);
  begun.set(name, one);
  return one;
};

describe.each(RECORDINGS)('The replay of the recording %s', (name) => {
  // `npm run golden -- --write` rewrites the list. A removed line is a difference fixed, an added line a regression.
  it('Winnow answers each case as kube-apiserver did, except for the known differences', async () => {
    const [open, known] = [openDifferences(name, await replayed(name)), knownDifferences(name)];
    expect({
      lost: open.filter((line) => !known.includes(line)),
      won: known.filter((line) => !open.includes(line)),
    }).toEqual({ lost: [], won: [] });
  });
});

describe('The intended differences', () => {
  it('The page docs/api.md states the number of intended differences', async () => {
    const [questions, kinds] = await Promise.all(
      RECORDINGS.map(async (name) => scoreOf(await replayed(name))),
    );
    const many = (count = 0) => count.toLocaleString('en');
    expect(await readPage()).toContain(
      `Winnow answers ${questions?.intended} of ${many(questions?.cases)} single requests and ${kinds?.intended} of ${many(kinds?.cases)} cases about kinds differently.`,
    );
  });

  it.each<[RecordingName, number]>([
    ['questions', 0.02],
    ['kinds', 0.04],
  ])('Few intended differences of %s do not help every client', async (name, share) => {
    const { cases, intended, sought } = scoreOf(await replayed(name));
    expect(intended - sought).toBeLessThanOrEqual(cases * share);
  });

  it.each(intendedDifferences)('A documented difference occurs: $reason', async ({ reason, explains }) => {
    const all = await Promise.all(RECORDINGS.map(replayed));
    const explained = all
      .flat()
      .some(({ differences, ...one }) =>
        explains({ differences, ...one }).some((aspect) => aspect in differences),
      );
    expect(explained).toBe(true);
    expect(await readPage()).toContain(reason);
  });
});

function readPage(): Promise<string> {
  return readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
}

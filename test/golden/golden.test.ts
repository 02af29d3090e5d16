import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { intendedDifferences } from './intended-differences.ts';
import { knownDifferences, openDifferences } from './open-differences.ts';
import { RECORDINGS, type RecordingName } from './recording.ts';
import { replay } from './replay.ts';
import { scoreOf } from './score.ts';

/** Each once, begun by the first test that asks. */
const begun = new Map<RecordingName, ReturnType<typeof replay>>();
const replayed = (name: RecordingName): ReturnType<typeof replay> => {
  const one = begun.get(name) ?? replay(name);
  begun.set(name, one);
  return one;
};

describe.each(RECORDINGS)('the recording of %s', (name) => {
  // `npm run golden -- --write` writes the list anew: a line that goes is won, a line that comes is lost.
  it('is answered as kube-apiserver did, but for the differences that are known', async () => {
    const [open, known] = [openDifferences(name, await replayed(name)), knownDifferences(name)];
    expect({
      lost: open.filter((line) => !known.includes(line)),
      won: known.filter((line) => !open.includes(line)),
    }).toEqual({ lost: [], won: [] });
  });
});

describe('the differences that are intended', () => {
  it('are as many as the page says', async () => {
    const [questions, kinds] = await Promise.all(
      RECORDINGS.map(async (name) => scoreOf(await replayed(name))),
    );
    const many = (count = 0) => count.toLocaleString('en');
    expect(await readPage()).toContain(
      `Of ${many(questions?.cases)} single questions ${questions?.intended} are answered otherwise, of ${many(kinds?.cases)} cases about kinds ${kinds?.intended};`,
    );
  });

  it.each(intendedDifferences)('is there, and told: $reason', async ({ reason, explains }) => {
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

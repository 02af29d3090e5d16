import { parseArgs } from 'node:util';
import { openDifferences, writeKnown } from './open-differences.ts';
import { RECORDINGS, type RecordingName } from './recording.ts';
import { type Replayed, replay } from './replay.ts';
import { scoresOf } from './score.ts';

/**
 * `npm run golden` prints, by category, how many of the recorded answers Winnow gives too.
 * - `-- --show kinds:'^1 defaults'` prints the cases whose number and name match, and where each differs.
 * - `--whole` adds both answers.
 * - `-- --write` rewrites the list of known differences.
 */
const { values } = parseArgs({
  options: {
    show: { type: 'string' },
    whole: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

if (values.show === undefined) {
  await score();
} else {
  await show(values.show);
}

async function score(): Promise<void> {
  const open: string[] = [];
  for (const name of RECORDINGS) {
    const replayed = await replay(name);
    console.log(name);
    console.table(scoresOf(replayed));
    open.push(...openDifferences(name, replayed));
  }
  if (values.write) writeKnown(open);
}

async function show(asked: string): Promise<void> {
  const [name, pattern = ''] = asked.split(/:(.*)/s);
  const wanted = new RegExp(pattern);
  for (const one of await replay(name as RecordingName)) {
    if (Object.keys(one.differences).length > 0 && wanted.test(`${one.recorded.n} ${one.recorded.case}`)) {
      print(one);
    }
  }
}

function print({ recorded, ours, differences }: Replayed): void {
  const { n, method, path, body } = recorded;
  console.log(`${n} ${recorded.case}\n  ${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`);
  for (const [aspect, what] of Object.entries(differences)) console.log(`  ${aspect}: ${what}`);
  if (values.whole) {
    console.log(`  recorded: ${JSON.stringify(recorded.answer)}\n  here:     ${ours.text.trimEnd()}`);
  }
}

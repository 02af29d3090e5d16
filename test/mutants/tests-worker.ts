import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCLI } from 'jest';
import type { Ask, Finding } from './messages.ts';
import { serve } from './serve.ts';
import { ROOT } from './targets.ts';

/** A warm process that runs test files with the mutants it is told. */
const MET = join(tmpdir(), `winnow-mutants-met-${process.pid}.json`);
process.on('unhandledRejection', () => {});
serve(answer);

async function answer({ mutant, pieces, most }: Ask<string>): Promise<Finding> {
  const met = new Set<string>();
  let asked = 0;
  for (const file of pieces) {
    await rm(MET, { force: true });
    const failed = await failedTest(file, { mutant, most });
    const reached = await readFile(MET, 'utf8').then(JSON.parse, () => ({ met: [], asked: 0 }));
    for (const id of reached.met) met.add(id);
    asked = Math.max(asked, reached.asked);
    if (failed !== undefined) return { by: `${file}: ${failed}`, met: [...met], asked };
  }
  return { by: undefined, met: [...met], asked };
}

type Turned = Pick<Ask<string>, 'mutant' | 'most'>;

/** The name of the first test in a file that fails. */
async function failedTest(file: string, { mutant = '', most }: Turned): Promise<string | undefined> {
  Object.assign(process.env, { WINNOW_MUTANT: mutant, WINNOW_MUTANTS_MET: MET });
  if (most !== undefined) {
    process.env.WINNOW_MUTANT_MOST = String(most);
  } else {
    delete process.env.WINNOW_MUTANT_MOST;
  }
  const { results } = await runCLI(
    {
      _: [file],
      $0: 'jest',
      config: 'test/mutants/jest.config.js',
      runTestsByPath: true,
      runInBand: true,
      silent: true,
      reporters: [],
      watchman: false,
      ci: true,
    },
    [ROOT],
  );
  const [suite] = results.testResults;
  const test = suite?.testResults.find(({ status }) => status === 'failed');
  if (test !== undefined) return test.fullName;
  return results.success ? undefined : 'cannot run';
}

import { setTimeout as sleep } from 'node:timers/promises';
import { compareQuarters, MOST } from './flat-memory.ts';
import { Findings, type Phase } from './phase.ts';

/** Samples without which there is nothing to compare. */
const FEWEST = 8;

/** The load alone, in one process that nothing happens to: is its memory flat? */
export const steady: Phase = {
  name: 'steady',
  share: 0.12,
  run: async ({ service, seconds, samples, progress }) => {
    const findings = new Findings('steady');
    await service.restart('data');
    const first = samples.length;
    for (let second = 0; second < seconds; second += 1) {
      await sleep(1_000);
      progress(`${second} of ${Math.round(seconds)} s`);
    }
    const own = samples.slice(first);
    findings.expect(
      own.length >= FEWEST,
      `there are ${own.length} samples only: it was too short to judge memory`,
    );
    const parts = [
      ['server', own.map(({ server }) => server.memory)],
      ['database', own.map(({ database }) => database.memory)],
    ] as const;
    const told = parts.map(([name, memory]) => {
      const { second, last, isFlat } = compareQuarters(memory);
      findings.expect(isFlat, `the ${name}'s memory rises: ${mebibytes(second)}, then ${mebibytes(last)}`);
      return `${name} ${mebibytes(second)}, then ${mebibytes(last)}`;
    });
    return {
      done: `${Math.round(seconds / 60)} minutes of the load alone in one process`,
      checked: `resident memory is flat: the median of the last quarter is at most ${MOST} times that of the second (${told.join('; ')})`,
      violations: findings.violations,
    };
  },
};

const mebibytes = (count: number) => `${Math.round(count)} MiB`;

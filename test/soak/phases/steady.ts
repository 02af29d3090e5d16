import { setTimeout as sleep } from 'node:timers/promises';
import { compareQuarters, MOST } from './flat-memory.ts';
import { Findings, type Phase } from './phase.ts';

/** Samples without which there is nothing to compare. */
const FEWEST = 8;
/**
 * Seconds in which the database's memory still rises. DynamoDB remembers the token of each transaction for ten minutes.
 * The embedded database keeps these tokens in memory, about 0.5 KiB each.
 */
const TOKENS_LIVE = 600;

/**
 * The load alone, in one process that nothing happens to: is its memory flat? It is the first phase, so no earlier phase
 * takes its time.
 */
export const steady: Phase = {
  name: 'steady',
  share: 0.25,
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
    const began = own[0]?.at ?? 0;
    const later = own.filter(({ at }) => at - began >= TOKENS_LIVE);
    const judged = (name: string, memory: readonly number[]) => {
      const { second, last, isFlat } = compareQuarters(memory);
      findings.expect(isFlat, `the ${name}'s memory rises: ${mebibytes(second)}, then ${mebibytes(last)}`);
      return `${name} ${mebibytes(second)}, then ${mebibytes(last)}`;
    };
    const told = [
      judged(
        'server',
        own.map(({ server }) => server.memory),
      ),
      later.length < FEWEST
        ? `database not judged: it ran for less than ${TOKENS_LIVE / 60} minutes`
        : judged(
            'database',
            later.map(({ database }) => database.memory),
          ),
    ];
    return {
      done: `${Math.round(seconds / 60)} minutes of the load alone in one process`,
      checked: `resident memory is flat: the median of the last quarter is at most ${MOST} times that of the second; the database is judged from its tenth minute on (${told.join('; ')})`,
      violations: findings.violations,
    };
  },
};

const mebibytes = (count: number) => `${Math.round(count)} MiB`;

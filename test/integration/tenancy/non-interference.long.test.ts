import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { UserInfo } from '../../../lib/server/index.ts';
import { startTable, type TestTable } from '../../support/store/table.ts';
import { administering, grant } from './administering.ts';
import { asking } from './asking.ts';
import { DifferenceError, type TwinOptions, TwinWorlds } from './twin-worlds.ts';

const WORLDS = Number(process.env.WINNOW_TENANTS ?? 12);
const SEED = Number(process.env.WINNOW_TENANTS_SEED ?? 1);
/** The pair to begin with: those before it are not made. */
const FROM = Number(process.env.WINNOW_TENANTS_FROM ?? 0);
/** Looks for a shorter life that shows the same, which takes minutes. */
const SHRINKS = process.env.WINNOW_TENANTS_SHRINK === 'yes';
const TENANT: UserInfo = { username: 'tenant', groups: ['system:authenticated'] };
/** Whom grants do not bound: what he is answered is not the same. */
const EVERYBODY: UserInfo = { username: 'tenant', groups: ['system:masters', 'system:authenticated'] };

/** One that gives everything of some objects, which others add to. */
const grants = fc
  .tuple(grant, fc.array(grant, { minLength: 1, maxLength: 2 }))
  .map(([first, others]) => [{ ...first, role: 'everything' as const, namespace: '' as const }, ...others]);
const step = fc.oneof({ weight: 1, arbitrary: administering }, { weight: 2, arbitrary: asking });
/** First there is something. */
const stepsOf = (most: number) =>
  fc
    .tuple(
      fc.array(administering, { minLength: 10, maxLength: 20, size: 'max' }),
      fc.array(step, { minLength: most / 2, maxLength: most, size: 'max' }),
    )
    .map((parts) => parts.flat());

const answered = new Map<string, number>();

/** One line for each step of the life that shows it. */
function reporter<T>({
  failed,
  seed,
  counterexamplePath,
  counterexample,
  errorInstance,
}: fc.RunDetails<T>): void {
  if (!failed) return;
  const [given, steps = []] = (counterexample ?? []) as readonly (readonly unknown[])[];
  const lines = [given, ...steps].map((one) => JSON.stringify(one));
  throw new Error(`seed ${seed}, path ${counterexamplePath}:\n${lines.join('\n')}\n${errorInstance}`);
}

async function live(
  options: TwinOptions,
  steps: readonly (typeof step extends fc.Arbitrary<infer One> ? One : never)[],
) {
  const twins = await TwinWorlds.create(options);
  for (const one of steps) await twins.perform(one);
  for (const [what, count] of twins.answered) answered.set(what, (answered.get(what) ?? 0) + count);
}

const within = (tenant: UserInfo) =>
  fc.asyncProperty(grants, stepsOf(120), (given, steps) => live({ grants: given, tenant }, steps));

describe('what a tenant is answered', () => {
  it('does not depend on objects outside the grants', async () => {
    await fc.assert(within(TENANT), {
      numRuns: WORLDS,
      seed: SEED,
      path: String(FROM),
      endOnFailure: !SHRINKS,
      reporter,
    });
    for (const what of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'watch', 'event']) {
      expect([what, (answered.get(what) ?? 0) > 0]).toEqual([what, true]);
    }
  });

  it('would depend on it without grants: the worlds do differ', async () => {
    const { failed, errorInstance } = await fc.check(within(EVERYBODY), {
      numRuns: 5,
      seed: SEED,
      endOnFailure: true,
    });
    expect([failed, errorInstance]).toEqual([true, expect.any(DifferenceError)]);
  });
});

describe('on the embedded engine', () => {
  const started: TestTable[] = [];
  beforeAll(async () => {
    started.push(await startTable(), await startTable());
  });
  afterAll(async () => {
    for (const { stop } of started) await stop();
  });

  it('it does not, either', async () => {
    const tables = started.map(({ table }) => table);
    const property = fc.asyncProperty(grants, stepsOf(100), (given, steps) =>
      live({ grants: given, tenant: TENANT, tables }, steps),
    );
    await fc.assert(property, { numRuns: 1, seed: SEED, endOnFailure: true, reporter });
  });
});

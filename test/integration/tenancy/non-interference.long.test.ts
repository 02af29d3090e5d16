import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { UserInfo } from '../../../lib/server/index.ts';
import { startTable, type TestTable } from '../../support/store/table.ts';
import { administering, grant } from './administering.ts';
import { asking } from './asking.ts';
import { DifferenceError, type TwinOptions, TwinWorlds } from './twin-worlds.ts';

const WORLDS = Number(process.env.WINNOW_TENANTS ?? 12);
const SEED = Number(process.env.WINNOW_TENANTS_SEED ?? 1);
/** The first pair of worlds. Earlier ones are skipped. */
const FROM = Number(process.env.WINNOW_TENANTS_FROM ?? 0);
/** Whether to search for a shorter failing life, which takes minutes. */
const SHRINKS = process.env.WINNOW_TENANTS_SHRINK === 'yes';
const TENANT: UserInfo = { username: 'tenant', groups: ['system:authenticated'] };
/** A user whom grants do not limit. The responses to this user differ. */
const EVERYBODY: UserInfo = { username: 'tenant', groups: ['system:masters', 'system:authenticated'] };

/** Grants: the first gives all permissions on some objects, and others add to it. */
const grants = fc
  .tuple(grant, fc.array(grant, { minLength: 1, maxLength: 2 }))
  .map(([first, others]) => [{ ...first, role: 'everything' as const, namespace: '' as const }, ...others]);
const step = fc.oneof({ weight: 1, arbitrary: administering }, { weight: 2, arbitrary: asking });
/** The steps of a life. It begins with steps of the administrator, so that there are objects. */
const stepsOf = (most: number) =>
  fc
    .tuple(
      fc.array(administering, { minLength: 10, maxLength: 20, size: 'max' }),
      fc.array(step, { minLength: most / 2, maxLength: most, size: 'max' }),
    )
    .map((parts) => parts.flat());

const answered = new Map<string, number>();

/** Reports a failure with one line for each step of the failing life. */
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

describe('the responses to a tenant', () => {
  it('the responses do not depend on objects outside the grants', async () => {
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

  it('the responses differ without grants, so the worlds do differ', async () => {
    const { failed, errorInstance } = await fc.check(within(EVERYBODY), {
      numRuns: 5,
      seed: SEED,
      endOnFailure: true,
    });
    expect([failed, errorInstance]).toEqual([true, expect.any(DifferenceError)]);
  });
});

describe('the responses to a tenant on the embedded DynamoDB', () => {
  const started: TestTable[] = [];
  beforeAll(async () => {
    started.push(await startTable(), await startTable());
  });
  afterAll(async () => {
    for (const { stop } of started) await stop();
  });

  it('the responses do not depend on objects outside the grants on the embedded DynamoDB', async () => {
    const tables = started.map(({ table }) => table);
    const property = fc.asyncProperty(grants, stepsOf(100), (given, steps) =>
      live({ grants: given, tenant: TENANT, tables }, steps),
    );
    await fc.assert(property, { numRuns: 1, seed: SEED, endOnFailure: true, reporter });
  });
});

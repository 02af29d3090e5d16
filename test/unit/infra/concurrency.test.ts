import { describe, expect, it } from '@jest/globals';
import {
  CONCURRENCY,
  CONCURRENT_FUNCTIONS,
  leastConcurrency,
  readReservations,
  reservationFault,
} from '../../../infra/concurrency/index.ts';
import type { Template } from '../../../infra/local/template.ts';
import { functionOf, functionsOf, properties, synthesized } from './synthesized.ts';

const total = (reservations: Readonly<Record<string, number | undefined>>) =>
  Object.values(reservations).reduce<number>((sum, one) => sum + (one ?? 0), 0);

describe('the setting reservedConcurrency', () => {
  it('off reserves nothing', () => {
    expect(readReservations('off')).toEqual({});
  });

  it('on reserves for every function, within the usual limit of 1,000', () => {
    const reservations = readReservations('on');
    expect(Object.keys(reservations)).toEqual([...CONCURRENT_FUNCTIONS]);
    expect(total(reservations)).toBeLessThanOrEqual(900);
    expect(reservationFault({ limit: 1_000, unreserved: 1_000 }, reservations)).toBeUndefined();
  });

  it('reservedConcurrency accepts numbers for single functions', () => {
    expect(readReservations('authorizer=10, read=200')).toEqual({ authorizer: 10, read: 200 });
  });

  it.each([
    ['', 'use off, on, or numbers'],
    ['yes', 'use off, on, or numbers'],
    ['authorizer', 'use off, on, or numbers'],
    ['authorizer=-1', 'use off, on, or numbers'],
    ['Authorizer=1', 'use off, on, or numbers'],
    ['constructor=1', 'use off, on, or numbers'],
    ['authorizer=1,authorizer=2', 'names authorizer twice'],
    ['authorizer=0', 'sets authorizer=0, but authorizer needs at least 1'],
    ['reconcile=2', 'sets reconcile=2, but reconcile needs at least 3'],
  ])('reservedConcurrency refuses %j', (text, why) => {
    expect(() => readReservations(text)).toThrow(why);
  });
});

describe('the concurrency that an account can reserve', () => {
  it('an account with a limit of 10 can reserve nothing, and the message names setting, limit and quota', () => {
    expect(reservationFault({ limit: 10, unreserved: 10 }, { authorizer: 1 })).toBe(
      'reservedConcurrency reserves 1 concurrent executions of Lambda, and this account can reserve 0: its limit is 10, ' +
        'and AWS keeps 100 unreserved. Set reservedConcurrency to off or to smaller numbers, or ask Service Quotas for ' +
        'a higher limit (quota L-B99A9384)',
    );
    expect(reservationFault({ limit: 10, unreserved: 10 }, {})).toBeUndefined();
  });

  it("an account can reserve the unreserved rest minus 100, plus the deployment's own reservations", () => {
    expect(reservationFault({ limit: 1_000, unreserved: 150 }, { authorizer: 50 })).toBeUndefined();
    expect(reservationFault({ limit: 1_000, unreserved: 150 }, { authorizer: 51 })).toContain(
      'can reserve 50',
    );
    expect(reservationFault({ limit: 1_000, unreserved: 150, own: 30 }, { read: 80 })).toBeUndefined();
  });
});

it('the reservation of each function is at least what it needs and at least the smallest allowed number', () => {
  for (const name of CONCURRENT_FUNCTIONS) {
    const { least, reserved, smallest } = CONCURRENCY[name];
    expect(reserved).toBeGreaterThanOrEqual(Math.max(least, smallest));
  }
  expect(leastConcurrency(['authorizer', 'read', 'write'])).toBe(4);
});

describe('the concurrency of a deployment', () => {
  const reservedIn = (template: Template) =>
    Object.fromEntries(
      functionsOf(template).map((name) => [name, functionOf(template, name)[1].ReservedConcurrentExecutions]),
    );
  const pollersOf = (template: Template) =>
    properties(template, 'AWS::Lambda::EventSourceMapping').flatMap(
      ({ ScalingConfig }) => ScalingConfig?.MaximumConcurrency ?? [],
    );

  it('a deployment reserves nothing by default, so an upgrade takes nothing from other functions of the account', async () => {
    const template = await synthesized();
    expect(Object.values(reservedIn(template)).filter((one) => one !== undefined)).toEqual([]);
    expect(pollersOf(template)).toEqual([50]);
  });

  it('a deployment reserves the set numbers for the functions that it has', async () => {
    const template = await synthesized({ reservedConcurrency: 'authorizer=10,read=200,derive=5' });
    expect(reservedIn(template)).toMatchObject({ authorizer: 10, read: 200, write: undefined });
  });

  it('a deployment with on reserves for each function, and its queues start fewer invocations than that', async () => {
    const template = await synthesized({ reservedConcurrency: 'on', derived: ['status'] });
    expect(reservedIn(template)).toMatchObject({ authorizer: 30, read: 500, dispatch: 50, derive: 25 });
    expect(pollersOf(template).sort()).toEqual([20, 49, 50]);
  });
});

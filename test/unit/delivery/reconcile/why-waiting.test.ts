import { describe, expect, it } from '@jest/globals';
import { isUnderWay, whyWaiting } from '../../../../lib/delivery/reconcile/why-waiting.ts';
import {
  parseState,
  type SubscriptionState,
} from '../../../../lib/delivery/subscription/subscription-state.ts';
import type { JsonObject } from '../../../../lib/json/index.ts';
import type { ObjectState, Row } from '../../../../lib/store/index.ts';
import { memberRow, targetOf } from '../../../support/watch/members.ts';

const NOW = Date.UTC(2026, 0, 1);

function object(metadata: JsonObject = { generation: 1 }, status: JsonObject = {}): ObjectState {
  const name = { namespace: 'default', name: 's' };
  return { name, rv: 2, uid: 'u', labels: {}, body: { metadata, status } };
}

/** Creates a synced state of generation 1. */
const state = (change: Partial<Row> = {}): SubscriptionState =>
  parseState({ ...memberRow('s'), membership: 'synced', queueUrl: 'url', ...change }, targetOf('pods'));

const suspended = (change: Partial<Row> = {}) =>
  state({ membership: 'catching-up', suspended: 1, ...change });

const toldSuspended = { phase: 'Suspended', observedGeneration: 1, queueUrl: 'url' };
const told = { phase: 'Synced', observedGeneration: 1, queueUrl: 'url' };

describe('the reason why a subscription waits', () => {
  it.each([
    ['reconcile has not started', object(), undefined],
    ['it was edited', object({ generation: 2 }), state()],
    ['waiting until dispatch gives up ownership', object(), state({ recall: 'why', failures: 1 })],
    ['waiting for dispatch', object(), state({ membership: 'ready' })],
    ['the queue rejects messages', object(), state({ membership: 'catching-up', failures: 1 })],
    ['the queue is not created yet', object(), state({ membership: 'catching-up', queueUrl: '' })],
    ['it catches up', object(), state({ membership: 'catching-up' })],
    ['the status is not written yet', object(), state()],
    ['the status is not written yet', object(undefined, { ...told, phase: 'Pending' }), state()],
    ['the status is not written yet', object(undefined, { ...told, observedGeneration: 0 }), state()],
    ['the status is not written yet', object(undefined, { ...told, queueUrl: 'another' }), state()],
    [undefined, object(undefined, told), state()],
    [undefined, object({}, told), state()],
    ['the status is not written yet', object(undefined, told), suspended()],
    [
      'the status is not written yet',
      object(undefined, { ...toldSuspended, observedGeneration: 2 }),
      suspended(),
    ],
    [undefined, object(undefined, toldSuspended), suspended({ generation: 0 })],
    [undefined, object({}, toldSuspended), suspended()],
    ['it was edited', object({ generation: 2 }, toldSuspended), suspended()],
    ['the queue is not created yet', object(undefined, toldSuspended), suspended({ queueUrl: '' })],
    [
      'waiting until dispatch gives up ownership',
      object(),
      suspended({ membership: 'synced', recall: 'why' }),
    ],
  ])('a subscription waits because: %s', (why, ofObject, ofState) => {
    const around = { namespaces: [], regranted: new Set<string>() };
    expect(whyWaiting(ofObject, ofState, around)).toBe(why);
  });
});

describe('the work that a subscription waits for', () => {
  const looked = (
    more: { readonly age?: number; readonly isAdmitting?: boolean; readonly next?: number } = {},
  ) => {
    const { age = 0, isAdmitting = false, next = 0 } = more;
    const creationTimestamp = new Date(NOW - age).toISOString();
    const nextAttempt = NOW + next;
    return { object: object({ creationTimestamp }), state: state({ nextAttempt }), isAdmitting, now: NOW };
  };

  it.each([
    ['waiting for dispatch', looked({ isAdmitting: true }), true],
    ['waiting for dispatch', looked(), false],
    ['the queue rejects messages', looked({ next: 1 }), true],
    ['the queue rejects messages', looked({ next: 0 }), false],
    ['waiting for the token of the queue', looked(), true],
    ['reconcile has not started', looked({ age: 59_999 }), true],
    ['reconcile has not started', looked({ age: 60_000 }), false],
    ['it was edited', looked({ age: 1 }), false],
  ])('isUnderWay is true if the work needs no new request: %s', (why, given, comes) => {
    expect(isUnderWay(why, given)).toBe(comes);
  });
});

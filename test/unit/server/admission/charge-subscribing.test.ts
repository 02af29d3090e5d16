import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultRules } from '../../../../lib/delivery/index.ts';
import { SUBSCRIPTIONS } from '../../../../lib/kubernetes/lifecycle/index.ts';
import {
  collectionOfType,
  type ResourceType,
  resourceTypes,
} from '../../../../lib/kubernetes/resource-types/index.ts';
import { chargeSubscribing } from '../../../../lib/server/admission/subscribing/index.ts';
import type { Store } from '../../../../lib/store/index.ts';
import { openStore } from '../../../support/store/store-fixture.ts';
import { startTable, type TestTable } from '../../../support/store/table.ts';

const [type] = resourceTypes.filter((one) => collectionOfType(one) === SUBSCRIPTIONS) as [ResourceType];

let testTable: TestTable;
beforeAll(async () => {
  testTable = await startTable();
});
afterAll(() => testTable.stop());

/** A namespace of its own that may have 50 Subscriptions, and a store that notes its LISTs and its reads of the quota version. */
function setUp(namespace: string) {
  const inner = openStore(testTable.table);
  const done: string[] = [];
  let isStuck = false;
  const store: Store = {
    ...inner,
    list: (...given) => {
      done.push('list');
      return inner.list(...given);
    },
    turn: (...given) => {
      done.push('turn');
      return inner.turn(...given);
    },
    // A slow writer hides all changes after its own.
    decidedChanges: async (collection, after, upTo) =>
      isStuck ? { upTo: after, changes: [] } : inner.decidedChanges(collection, after, upTo),
  };
  const rules = defaultRules('000000000000');
  const limits = { ...rules.limits, subscriptionsPerNamespace: 50 };
  const subscribing = { rules: { ...rules, limits }, selectedBytes: async () => 0 };
  const bodyOf = (name: string, text = '') => ({
    metadata: { name, namespace, uid: `uid-of-${name}`, annotations: { text } },
    spec: { resource: { resource: 'pods' }, labelSelector: 'a' },
  });
  return {
    done,
    stick: () => {
      isStuck = true;
    },
    put: (name: string, text?: string) =>
      inner.write(SUBSCRIPTIONS, { namespace, name }, () => ({ kind: 'put', body: bodyOf(name, text) })),
    /** What a create depends on, and the reads that it made. */
    charge: async () => {
      done.length = 0;
      const turn = await chargeSubscribing({ type, store, namespace, subscribing, body: bodyOf('new') });
      return { turn, reads: [...done] };
    },
  };
}

describe('The charge of a Subscription', () => {
  it('A create far from the limits depends on no other write, also while a slow writer hides later changes', async () => {
    const { put, charge, stick } = setUp('far');
    for (let at = 0; at < 10; at += 1) await put(`s${at}`);
    expect(await charge()).toEqual({ turn: undefined, reads: ['list'] });
    expect(await charge()).toEqual({ turn: undefined, reads: [] });
    stick();
    await put('s0', 'edited');
    expect(await charge()).toEqual({ turn: undefined, reads: [] });
    // So many changes might be creates.
    for (let edit = 0; edit < 10; edit += 1) await put('s1', `edit ${edit}`);
    expect(await charge()).toEqual({ turn: undefined, reads: ['list'] });
  });

  it('A create near a limit depends on the quota version of its namespace, read before the LIST', async () => {
    const { put, charge } = setUp('near');
    for (let at = 0; at < 19; at += 1) await put(`s${at}`);
    expect(await charge()).toEqual({ turn: expect.any(Number), reads: ['list', 'turn', 'list'] });
  });
});

import { describe, expect, it } from '@jest/globals';
import { Deliveries } from '../../../../lib/delivery/dispatch/deliveries.ts';
import { type Logger, silentLogger } from '../../../../lib/platform/index.ts';
import type { ObjectEvent } from '../../../../lib/store/watch/transition.ts';
import { OwnedClock } from '../../../support/clocks/owned-clock.ts';

const PODS = 'core/pods';

/** Creates the deliveries of a round, and collects what they log. */
function createDeliveries() {
  const logged: unknown[] = [];
  const logger: Logger = { ...silentLogger, info: (message, data) => logged.push([message, data]) };
  return { logged, deliveries: new Deliveries({ clock: new OwnedClock(), logger }) };
}

function event(rv: number, auditID?: string): ObjectEvent {
  const name = { namespace: 'default', name: `p${rv}` };
  const object: ObjectEvent['object'] = { name, uid: name.name, rv, labels: {}, trackedOwners: [], body: {} };
  return { type: 'ADDED', object, ...(auditID !== undefined && { auditID }) };
}

describe('Deliveries', () => {
  it('log lists each request whose changes a queue accepted once', () => {
    const { logged, deliveries } = createDeliveries();
    deliveries.note([event(1, 'a'), event(2), event(3, 'b')], { accepted: 3 });
    deliveries.note([event(1, 'a'), event(4, 'c')], { accepted: 1, failure: 'refused' });
    deliveries.log(PODS, 7);
    expect(logged).toEqual([['delivered changes', { collection: PODS, upTo: 7, auditIDs: ['a', 'b'] }]]);
  });

  it('log writes nothing if no request is known', () => {
    const { logged, deliveries } = createDeliveries();
    deliveries.note([event(1)], { accepted: 1 });
    deliveries.log(PODS, 7);
    expect(logged).toEqual([]);
  });
});

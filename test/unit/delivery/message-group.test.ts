import { describe, expect, it } from '@jest/globals';
import {
  bookmarkMessage,
  editMessage,
  eventMessage,
  goneMessage,
} from '../../../lib/delivery/event-message.ts';
import type { ObjectEvent } from '../../../lib/store/index.ts';
import { member } from '../../support/watch/members.ts';
import { nameOf } from '../../support/watch/watch-world.ts';

const event = (name: string): ObjectEvent => ({
  type: 'ADDED',
  object: { name: nameOf(name), rv: 7, uid: 'u', labels: {}, body: {} },
});

describe('the message group of a subscription', () => {
  it('all messages of a subscription with total order share one group', () => {
    const total = member('sub');
    const messages = [
      eventMessage(total, event('default/a')),
      bookmarkMessage(total, 7),
      goneMessage(total, ''),
    ];
    expect(messages.map(({ group }) => group)).toEqual([total.uid, total.uid, total.uid]);
    expect(messages[0]?.attributes).not.toHaveProperty('ordering');
  });

  it('each object has its own group if the order is kept for each object', () => {
    const byObject = member('sub', { ordering: 'Object' });
    const [a, again, b] = [
      eventMessage(byObject, event('default/a')),
      editMessage(byObject, event('default/a'), 9),
      eventMessage(byObject, event('other/a')),
    ].map(({ group }) => group);
    expect(a).toMatch(/^uid-sub\/[\w-]{22}$/);
    expect(again).toBe(a);
    expect(b).not.toBe(a);
    expect(bookmarkMessage(byObject, 7)).toMatchObject({
      group: 'uid-sub',
      attributes: { ordering: 'Object' },
    });
    expect(goneMessage(byObject, '')).toMatchObject({ group: 'uid-sub', attributes: { ordering: 'Object' } });
  });
});

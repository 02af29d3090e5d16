import { describe, expect, it } from '@jest/globals';
import { MemberIndexes } from '../../../../lib/delivery/dispatch/subscription-indexes.ts';
import { SelectorError } from '../../../../lib/selectors/index.ts';
import { member, targetOf } from '../../../support/watch/members.ts';

/** Creates `count` subscriptions to one collection. */
const members = (resource: string, count: number) =>
  Array.from({ length: count }, (_, at) => member(`s${at}`, { namespaces: 'All' }, { resource }));

describe('the indexes of a process', () => {
  it('each collection has one index, which stays the same from round to round', () => {
    const indexes = new MemberIndexes();
    const pods = indexes.refreshed({ target: targetOf('pods') }, members('pods', 2));
    const nodes = indexes.refreshed({ target: targetOf('nodes') }, members('nodes', 1));
    expect(nodes).not.toBe(pods);
    expect(indexes.refreshed({ target: targetOf('pods') }, members('pods', 3))).toBe(pods);
    expect([pods.size, nodes.size]).toEqual([3, 1]);
  });

  it('each dispatch shard has its own index', () => {
    const indexes = new MemberIndexes();
    const target = targetOf('pods');
    const first = indexes.refreshed({ target, group: 0 }, members('pods', 2));
    const second = indexes.refreshed({ target, group: 32 }, members('pods', 1));
    expect(indexes.refreshed({ target }, members('pods', 2))).toBe(first);
    expect([first.size, second.size]).toEqual([2, 1]);
    expect(indexes.groups).toEqual(['core/pods#32', 'core/pods']);
  });

  it('the least recently used indexes are evicted if the others hold too many subscriptions', () => {
    const indexes = new MemberIndexes(4);
    const refresh = (resource: string, count: number) =>
      indexes.refreshed({ target: targetOf(resource) }, members(resource, count));
    refresh('pods', 2);
    refresh('nodes', 2);
    refresh('services', 2);
    refresh('pods', 2);
    expect(indexes.groups).toEqual(['core/nodes', 'core/services', 'core/pods']);
    refresh('configmaps', 9);
    expect(indexes.groups).toEqual(['core/services', 'core/pods', 'core/configmaps']);
    refresh('nodes', 1);
    expect(indexes.groups).toEqual(['core/nodes']);
  });

  it('an index that could not be refreshed is dropped', () => {
    const indexes = new MemberIndexes();
    const good = members('pods', 2);
    indexes.refreshed({ target: targetOf('pods') }, good);
    const bad = good.map((state, at) => (at === 0 ? state : { ...state, selector: 'app in (' }));
    expect(() => indexes.refreshed({ target: targetOf('pods') }, bad)).toThrow(SelectorError);
    expect(indexes.groups).toEqual([]);
    expect(indexes.refreshed({ target: targetOf('pods') }, good).size).toBe(2);
  });
});

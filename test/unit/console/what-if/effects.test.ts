import { describe, expect, it } from '@jest/globals';
import { meaningOf, type Review, sumUp } from '../../../../console/what-if/effects.ts';
import type { Selection } from '../../../../lib/client/objects/index.ts';

function selection(kind: string, name: string, path = 'spec.selector'): Selection {
  return {
    apiVersion: 'winnow.dev/v1',
    kind: 'Selection',
    metadata: { name, namespace: 'shop', uid: name },
    carrier: { apiVersion: 'v1', kind },
    path,
    selector: `app=${name}`,
  };
}

const review = (part: Partial<Review>): Review => ({ selectedBy: [], overlaps: [], ...part });

describe('The effects of a change of labels', () => {
  it('Reviews of several sets are summed up by selector, the one of the most objects first', () => {
    const [web, cart] = [selection('Service', 'web'), selection('Service', 'cart')];
    const { begins, stops } = sumUp([
      { objects: 2, review: review({ begins: [cart], stops: [web] }) },
      { objects: 5, review: review({ begins: [web] }) },
      { objects: 1, review: review({ begins: [cart] }) },
    ]);
    expect(begins.map(({ selection: { metadata }, objects }) => [metadata.name, objects])).toEqual([
      ['web', 5],
      ['cart', 3],
    ]);
    expect(stops).toEqual([{ selection: web, objects: 2 }]);
  });

  it('Two selectors of one object are two effects', () => {
    const policy = [
      selection('NetworkPolicy', 'p', 'spec.podSelector'),
      selection('NetworkPolicy', 'p', 'spec.ingress[0].from[0]'),
    ];
    expect(sumUp([{ objects: 1, review: review({ begins: policy }) }]).begins.length).toBe(2);
  });

  it('Controllers fight if one of them begins to select the objects, and not if they fought before', () => {
    const [one, other] = [selection('ReplicaSet', 'one'), selection('ReplicaSet', 'other')];
    const overlaps = [{ controllers: [one, other] }];
    expect(sumUp([{ objects: 3, review: review({ begins: [other], overlaps }) }]).fights).toEqual([
      { controllers: [one, other], objects: 3 },
    ]);
    expect(sumUp([{ objects: 3, review: review({ begins: [], overlaps }) }]).fights).toEqual([]);
  });

  it('Kinds of grants that are hidden in any review are named once', () => {
    const hidden = ['AccessGrant', 'ClusterAccessGrant'];
    const reviewed = [review({ hidden }), review({}), review({ hidden: ['AccessGrant'] })];
    expect(sumUp(reviewed.map((one) => ({ objects: 1, review: one }))).hidden).toEqual(hidden);
  });

  it('An object is told by what it does with the objects that it selects', () => {
    expect(meaningOf(selection('Service', 'web'))).toBe('sending traffic');
    expect(meaningOf(selection('AccessGrant', 'team'))).toBe('giving rights');
    expect(meaningOf(selection('Rollout', 'web'))).toBe('selecting');
  });
});

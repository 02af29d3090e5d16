import { describe, expect, it } from '@jest/globals';
import {
  cellOf,
  endsOf,
  pairsOf,
  pairsPerCell,
  type Reachability,
} from '../../../../console/reachability/matrix.ts';

const classOf = (key: string, count: number, names = [`${key}-1`, `${key}-2`].slice(0, count)) => ({
  key,
  namespace: 'shop',
  selectedBy: [],
  names,
  count,
});
const web = { name: 'web', count: 5, classes: [classOf('w', 3), classOf('q', 2)] };
const cart = { name: 'cart', count: 1, classes: [classOf('c', 1)] };
const allowed = { decision: 'Allowed', reason: 'NotIsolated', message: '', selectedBy: [] };
const byRule = { ...allowed, policy: { namespace: 'shop', name: 'from-web' } };
const denied = {
  decision: 'Denied',
  reason: 'NoRuleAllows',
  message: '',
  selectedBy: [{ namespace: 'shop', name: 'deny' }],
};
const yes: Reachability = { decision: 'Allowed', egress: allowed, ingress: byRule };
const no: Reachability = { decision: 'Denied', egress: allowed, ingress: denied };
const unclear: Reachability = { decision: 'Unspecified', egress: allowed, ingress: allowed };

describe('The cells of the matrix', () => {
  const pairs = pairsOf(web, cart);
  const [first = '', second = ''] = pairs.map(({ key }) => key);

  it('The pairs with the most pods come first', () => {
    expect(pairs.map(({ from }) => from.key)).toEqual(['w', 'q']);
  });

  it('A cell waits until all of its answers are there', () => {
    expect(cellOf(pairs, new Map([[first, yes]])).verdict).toBe('asking');
  });

  it('A cell says yes, no or partly, with the policy that decides', () => {
    const sum = (one: Reachability | Error, other: Reachability | Error) =>
      cellOf(
        pairs,
        new Map([
          [first, one],
          [second, other],
        ]),
      );
    expect(sum(yes, yes)).toEqual({ verdict: 'yes', policy: 'from-web' });
    expect(sum(no, no)).toEqual({ verdict: 'no', policy: 'deny' });
    expect(sum(yes, no)).toEqual({ verdict: 'partly', policy: '2 policies' });
    expect(sum(yes, unclear).verdict).toBe('unclear');
    expect(sum(yes, new Error('x')).verdict).toBe('part');
    expect(cellOf(pairs.slice(0, 1), new Map([[first, yes]]), 2).verdict).toBe('part');
    expect(sum(new Error('x'), new Error('y'))).toEqual({ verdict: 'failed', policy: '' });
  });

  it('Within a class, the first pod reaches the second one', () => {
    const inside = pairsOf(
      { ...web, classes: web.classes.slice(0, 1) },
      { ...web, classes: web.classes.slice(0, 1) },
    );
    expect(inside.map(endsOf)).toEqual([{ from: 'w-1', to: 'w-2' }]);
    expect(pairsOf(cart, cart).map(endsOf)).toEqual([{ from: 'c-1', to: 'c-1' }]);
  });

  it('The questions of a matrix are bounded', () => {
    for (const groups of [1, 2, 5, 12]) {
      expect(pairsPerCell(groups) * groups * groups).toBeLessThanOrEqual(600);
      expect(pairsPerCell(groups)).toBeGreaterThan(0);
    }
  });
});

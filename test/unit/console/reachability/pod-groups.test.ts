import { describe, expect, it } from '@jest/globals';
import { groupPods, namesAddresses, selectorsOf } from '../../../../console/reachability/pod-groups.ts';

const pod = (name: string, namespace: string, labels: Record<string, string>) => ({
  metadata: { name, namespace, labels },
});
const policies = [
  {
    spec: {
      podSelector: { matchLabels: { app: 'cart' } },
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'web', environment: 'production' } } }] }],
    },
  },
  { spec: { podSelector: {}, egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }] } },
  { spec: { podSelector: { matchLabels: { app: 'cart' } } } },
];

describe('Groups of pods that policies treat alike', () => {
  it('Pods of one namespace that the same selectors match are one class', () => {
    const pods = [
      pod('w1', 'shop', { app: 'web', environment: 'production' }),
      pod('w2', 'shop', { app: 'web', environment: 'production', version: '2' }),
      pod('w3', 'shop', { app: 'web', environment: 'qa' }),
      pod('c1', 'shop', { app: 'cart' }),
      pod('x', 'billing', {}),
    ];
    const groups = groupPods(pods, 'app', selectorsOf(policies));
    expect(groups.map(({ name, count }) => `${name} ${count}`)).toEqual(['web 3', '(no label) 1', 'cart 1']);
    expect(groups[0]?.classes).toMatchObject([
      { namespace: 'shop', selectedBy: ['app=web,environment=production'], names: ['w1', 'w2'], count: 2 },
      { namespace: 'shop', selectedBy: [], names: ['w3'], count: 1 },
    ]);
  });

  it('Pods with an empty value are a group with a name', () => {
    expect(groupPods([pod('a', 'shop', { app: '' })], 'app', []).map(({ name }) => name)).toEqual([
      '(empty)',
    ]);
  });

  it('The same class has the same key in every group, so it is asked about once', () => {
    const pods = [pod('a', 'shop', { app: 'a' }), pod('b', 'shop', { app: 'b' })];
    const [a, b] = groupPods(pods, 'app', selectorsOf(policies));
    expect(a?.classes[0]?.key).toBe(b?.classes[0]?.key);
  });

  it('Without policies, only pods with the same labels are alike', () => {
    const pods = [pod('a', 'shop', { app: 'a', x: '1' }), pod('b', 'shop', { app: 'a', x: '2' })];
    expect(groupPods(pods, 'app', undefined)[0]?.classes).toHaveLength(2);
    expect(groupPods(pods, 'app', [])[0]?.classes).toHaveLength(1);
  });

  it('Each different selector counts once, and one that selects every pod does not count', () => {
    expect(selectorsOf(policies).map(String)).toEqual(['app=cart', 'app=web,environment=production']);
  });

  it('Policies with address ranges are noticed', () => {
    expect(namesAddresses(policies)).toBe(true);
    expect(namesAddresses(policies.slice(0, 1))).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  type NetworkPolicy,
  type PodEnd,
  type Reachability,
  reach,
  type Traffic,
} from '../../../../lib/kubernetes/reachability/index.ts';
import { answersOf, trafficOf } from '../../../conformance/reachability/our-answer.ts';
import { recording } from '../../../conformance/reachability/recording.ts';

function pod(name: string, more: Partial<PodEnd> = {}): PodEnd {
  return {
    namespace: 'default',
    name,
    labels: { app: name },
    namespaceLabels: { 'kubernetes.io/metadata.name': 'default' },
    addresses: [],
    nodeAddresses: [],
    hostNetwork: false,
    ports: [],
    ...more,
  };
}

const a = pod('a', { addresses: ['10.0.0.1'], nodeAddresses: ['192.168.0.1'] });
const b = pod('b', { addresses: ['10.0.0.2'], nodeAddresses: ['192.168.0.2'] });
const connection = (more: Partial<Traffic> = {}): Traffic => ({
  from: a,
  to: b,
  port: 80,
  protocol: 'TCP',
  ...more,
});
const policy = (name: string, spec: NetworkPolicy['spec']): NetworkPolicy => ({
  metadata: { namespace: 'default', name },
  spec,
});
const toB = { podSelector: { matchLabels: { app: 'b' } } };
const short = ({ decision, egress, ingress }: Reachability) => [decision, egress.cause, ingress.cause];

describe('reach', () => {
  it('reach names the first allowing rule of the first allowing policy, and all selecting policies', () => {
    const policies = [
      policy('z', { ...toB, ingress: [{}] }),
      policy('deny', {}),
      policy('c', { ...toB, ingress: [{ ports: [{ port: 81 }] }, { from: [{ podSelector: {} }] }, {}] }),
    ];
    const { decision, egress, ingress } = reach(connection(), policies);
    expect(decision).toBe('Allowed');
    expect(egress).toEqual({
      decision: 'Allowed',
      cause: 'NotIsolated',
      message: 'no NetworkPolicy selects default/a for egress',
      selectedBy: [],
    });
    expect(ingress).toEqual({
      decision: 'Allowed',
      cause: 'RuleAllows',
      message: 'ingress[1] of NetworkPolicy default/c allows it',
      policy: { namespace: 'default', name: 'c' },
      rule: 1,
      selectedBy: ['c', 'deny', 'z'].map((name) => ({ namespace: 'default', name })),
    });
  });

  it('reach names all policies that select a pod if none of them allows the traffic', () => {
    const { decision, ingress } = reach(connection(), [policy('y', {}), policy('x', toB)]);
    expect([decision, ingress.cause]).toEqual(['Denied', 'NoRuleAllows']);
    expect(ingress.message).toBe(
      'default/b is isolated for ingress by default/x, default/y, and no rule there allows it',
    );
  });

  it('a pod can reach itself, and its node can reach it', () => {
    const deny = [policy('deny', { policyTypes: ['Ingress', 'Egress'] })];
    expect(short(reach(connection({ to: a }), deny))).toEqual(['Allowed', 'SamePod', 'SamePod']);
    const node = { address: '192.168.0.2' };
    expect(short(reach(connection({ from: node }), deny))).toEqual(['Allowed', 'NotAPod', 'OwnNode']);
    expect(short(reach(connection({ to: node }), deny))).toEqual(['Denied', 'NoRuleAllows', 'NotAPod']);
    expect(short(reach(connection({ from: node, to: node }), deny))).toEqual([
      'Allowed',
      'NotAPod',
      'NotAPod',
    ]);
  });

  it('reach recognizes an IPv6 address in any spelling', () => {
    const own = pod('b', { addresses: ['fd00::2'], nodeAddresses: ['fd00:0:0::1'] });
    const { ingress } = reach(connection({ from: { address: 'fd00::1' }, to: own }), [policy('deny', {})]);
    expect(ingress.cause).toBe('OwnNode');
  });

  it('the decision is unspecified for a host-network pod if it depends on a policy', () => {
    const host = pod('host', { hostNetwork: true });
    const deny = [policy('deny', toB)];
    const all = [policy('all', { policyTypes: ['Ingress', 'Egress'] })];
    expect(short(reach(connection({ from: host }), []))).toEqual(['Allowed', 'NotIsolated', 'NotIsolated']);
    expect(short(reach(connection({ from: host }), deny))).toEqual([
      'Unspecified',
      'NotIsolated',
      'HostNetwork',
    ]);
    expect(short(reach(connection({ to: host }), all))).toEqual([
      'Unspecified',
      'HostNetwork',
      'HostNetwork',
    ]);
    const selecting = [policy('some', { ...toB, ingress: [{ from: [{ podSelector: {} }] }] })];
    expect(reach(connection({ from: host }), selecting).ingress).toMatchObject({
      decision: 'Unspecified',
      cause: 'HostNetwork',
      policy: { name: 'some' },
      rule: 0,
    });
    const everybody = [policy('everybody', { ...toB, ingress: [{}] })];
    expect(short(reach(connection({ from: host }), everybody))).toEqual([
      'Allowed',
      'NotIsolated',
      'RuleAllows',
    ]);
  });

  it('the decision is unspecified for the address of a Service', () => {
    const service = { address: '10.96.0.10', service: 'kube-system/kube-dns' };
    const egress = [policy('deny', { policyTypes: ['Egress'] })];
    expect(short(reach(connection({ to: service }), []))).toEqual([
      'Unspecified',
      'NotIsolated',
      'ServiceAddress',
    ]);
    const found = reach(connection({ to: service }), egress);
    expect(short(found)).toEqual(['Unspecified', 'ServiceAddress', 'ServiceAddress']);
    expect(found.egress.message).toContain('the Service kube-system/kube-dns');
  });

  it('reach judges each address family that both ends have, or only the requested one', () => {
    const both = { addresses: ['10.0.0.1', 'fd00::1'] };
    const traffic = { from: pod('a', both), to: pod('b', both) };
    const range = (cidr: string) => [
      policy('range', { ...toB, ingress: [{ from: [{ ipBlock: { cidr } }] }] }),
    ];
    expect(short(reach(connection(traffic), range('10.0.0.0/8')))).toEqual([
      'Unspecified',
      'NotIsolated',
      'DiffersByFamily',
    ]);
    const asked = (ipFamily: 'IPv4' | 'IPv6') =>
      reach(connection({ ...traffic, ipFamily }), range('10.0.0.0/8')).decision;
    expect([asked('IPv4'), asked('IPv6')]).toEqual(['Allowed', 'Denied']);
    expect(reach(connection({ ...traffic, to: b }), range('010.0.0.0/8')).decision).toBe('Allowed');
    expect(reach(connection(traffic), range('nonsense')).decision).toBe('Denied');
  });

  it('the decision is unspecified for an address range and a pod without addresses', () => {
    const ranges = [{ from: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }];
    const { ingress } = reach(connection({ from: pod('a') }), [policy('range', { ...toB, ingress: ranges })]);
    expect(ingress).toMatchObject({ decision: 'Unspecified', cause: 'NoAddress', rule: 0 });
  });
});

/** test/conformance/reachability recorded these answers. It compares far more worlds, but needs Go. */
describe('the recorded answers of cyclonus about generated worlds', () => {
  const recorded = recording.read();

  it('reach gives the same answers as cyclonus', () => {
    expect(recorded.length).toBeGreaterThan(50);
    for (const { world, answers } of recorded) expect(answersOf(world)).toEqual(answers);
  });

  it('reach gives the same decision for pods without addresses, unless it is unspecified', () => {
    let said = 0;
    for (const { world } of recorded) {
      for (const asked of world.asked) {
        const traffic = trafficOf(world, asked);
        const known = reach(traffic, world.policies);
        const [from, to] = [traffic.from, traffic.to].map((end) =>
          'labels' in end ? { ...end, addresses: [] } : end,
        ) as [Traffic['from'], Traffic['to']];
        const unknown = reach({ ...traffic, from, to }, world.policies);
        for (const side of ['egress', 'ingress'] as const) {
          if (unknown[side].decision === 'Unspecified') {
            expect(unknown[side].cause).toBe('NoAddress');
          } else {
            expect(unknown[side].decision).toBe(known[side].decision);
            said += 1;
          }
        }
      }
    }
    expect(said).toBeGreaterThan(recorded.length);
  });
});

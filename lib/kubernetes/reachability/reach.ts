import { familyOf, type IpFamily } from './addresses.ts';
import { judge } from './judge.ts';
import type { NetworkPolicy } from './objects.ts';
import type { Direction } from './policies.ts';
import type { Decision, Reachability, Verdict } from './reachability.ts';
import { type End, isPod, type Traffic } from './traffic.ts';

/**
 * Decides whether NetworkPolicies let one end open a connection to another. Egress of the source and ingress of the
 * destination must both allow the connection; its replies need no rule.
 * @param policies all policies in the namespaces of both ends; policies of other namespaces are ignored
 * @throws SelectorError if a policy has an invalid selector
 * @see https://kubernetes.io/docs/concepts/services-networking/network-policies/
 */
export function reach(traffic: Traffic, policies: readonly NetworkPolicy[]): Reachability {
  const { from, to } = traffic;
  const seen = familiesOf(traffic).map((family): Reachability => {
    const look = (direction: Direction, own: End, other: End) => {
      const opposite = { end: other, address: addressOf(other, family) };
      return judge({ direction, traffic, own, opposite, policies });
    };
    const egress = look('Egress', from, to);
    const ingress = look('Ingress', to, from);
    return { decision: both(egress.decision, ingress.decision), egress, ingress };
  });
  return {
    decision: agreed(seen.map(({ decision }) => decision)) ?? 'Unspecified',
    egress: overFamilies(seen.map(({ egress }) => egress)),
    ingress: overFamilies(seen.map(({ ingress }) => ingress)),
  };
}

/** Combines egress and ingress: denied if either direction is denied. */
function both(egress: Decision, ingress: Decision): Decision {
  if (egress === 'Denied' || ingress === 'Denied') return 'Denied';
  return egress === 'Unspecified' || ingress === 'Unspecified' ? 'Unspecified' : 'Allowed';
}

/** The address families that both ends have; one undefined family if they have none in common. */
function familiesOf({ from, to, ipFamily }: Traffic): readonly (IpFamily | undefined)[] {
  if (ipFamily !== undefined) return [ipFamily];
  const families = [from, to].map(
    (end) => new Set((isPod(end) ? end.addresses : [end.address]).map(familyOf)),
  );
  const known = families.filter(({ size }) => size > 0);
  const [first = new Set()] = known;
  const shared = [...first].filter((family) => known.every((all) => all.has(family)));
  return shared.length > 0 ? shared : [undefined];
}

function addressOf(end: End, family: IpFamily | undefined): string | undefined {
  return isPod(end) ? end.addresses.find((address) => familyOf(address) === family) : end.address;
}

function overFamilies(verdicts: readonly Verdict[]): Verdict {
  const [first] = verdicts as readonly [Verdict];
  if (agreed(verdicts.map(({ decision }) => decision)) !== undefined) return first;
  const message = 'the answer differs between IPv4 and IPv6; set the address family';
  return { decision: 'Unspecified', cause: 'DiffersByFamily', message, selectedBy: first.selectedBy };
}

/** The decision that all share, or undefined if they differ. */
function agreed(decisions: readonly Decision[]): Decision | undefined {
  const [first] = decisions;
  return decisions.every((decision) => decision === first) ? first : undefined;
}

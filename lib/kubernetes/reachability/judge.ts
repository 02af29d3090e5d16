import { isSameAddress } from './addresses.ts';
import type { NetworkPolicy } from './objects.ts';
import { type Direction, nameOf, policiesFor, rulesOf } from './policies.ts';
import type { Cause, Decision, PolicyName, Verdict } from './reachability.ts';
import { type Match, matchRule, type Seen } from './rule-match.ts';
import { type AddressEnd, type End, isPod, nameOfEnd, type PodEnd } from './traffic.ts';

/** One direction of a connection, as input of {@link judge}. */
export interface Question extends Seen {
  readonly direction: Direction;
  /** The end whose policies are evaluated. */
  readonly own: End;
  readonly policies: readonly NetworkPolicy[];
}

/**
 * Returns the decision of one end's policies about a connection.
 * @throws SelectorError
 */
export function judge(question: Question): Verdict {
  const { direction, own, opposite, policies } = question;
  if (!isPod(own)) return verdictOfAddress(own);
  if (isSamePod(own, opposite.end)) {
    return verdict('Allowed', 'SamePod', 'a pod cannot block access to itself');
  }
  const selecting = policiesFor(direction, own, policies);
  const found = judgeIsolated(question, own, selecting);
  return { ...found, selectedBy: selecting.map(nameOf) };
}

function verdictOfAddress({ address, service }: AddressEnd): Verdict {
  return service === undefined
    ? verdict('Allowed', 'NotAPod', `${address} is no pod: no NetworkPolicy is about it`)
    : verdict('Unspecified', 'ServiceAddress', addressOfService(service));
}

function judgeIsolated(question: Question, own: PodEnd, selecting: readonly NetworkPolicy[]): Verdict {
  const { direction, opposite } = question;
  if (selecting.length === 0) {
    const message = `no NetworkPolicy selects ${nameOfEnd(own)} for ${direction.toLowerCase()}`;
    return verdict('Allowed', 'NotIsolated', message);
  }
  if (own.hostNetwork) return verdict('Unspecified', 'HostNetwork', networkOfNode(own));
  if (isPod(opposite.end)) return judgeRules(question, own, selecting);
  const { address, service } = opposite.end;
  if (service !== undefined) return verdict('Unspecified', 'ServiceAddress', addressOfService(service));
  if (own.nodeAddresses.some((node) => isSameAddress(node, address))) {
    return verdict(
      'Allowed',
      'OwnNode',
      `${address} is the node of ${nameOfEnd(own)}, which is always allowed`,
    );
  }
  return judgeRules(question, own, selecting);
}

/**
 * Returns the verdict of the first rule that allows the connection. Otherwise, that of the first rule whose result is
 * unknown. Otherwise no rule allows it.
 */
function judgeRules(question: Question, own: PodEnd, selecting: readonly NetworkPolicy[]): Verdict {
  const { direction, opposite } = question;
  const matched = selecting.flatMap((policy) =>
    rulesOf(direction, policy).map((rule, index) => ({
      policy: nameOf(policy),
      rule: index,
      match: matchRule(rule, own.namespace, question),
    })),
  );
  const found = matched.find(({ match }) => match === 'Yes') ?? matched.find(({ match }) => match !== 'No');
  const side = direction.toLowerCase();
  if (found !== undefined) {
    const { policy, rule, match } = found;
    const place = `${side}[${rule}] of NetworkPolicy ${textOf(policy)}`;
    return { ...verdictOfMatch(match, place, opposite.end), policy, rule };
  }
  if (isPod(opposite.end) && opposite.end.hostNetwork) {
    return verdict('Unspecified', 'HostNetwork', networkOfNode(opposite.end));
  }
  const names = selecting.map((policy) => textOf(nameOf(policy))).join(', ');
  const message = `${nameOfEnd(own)} is isolated for ${side} by ${names}, and no rule there allows it`;
  return verdict('Denied', 'NoRuleAllows', message);
}

function verdictOfMatch(match: Match, place: string, opposite: End): Verdict {
  switch (match) {
    case 'NoAddress': {
      const message = `${place} allows a range of addresses, and no address of ${nameOfEnd(opposite)} is known`;
      return verdict('Unspecified', 'NoAddress', message);
    }
    case 'HostNetwork':
      return verdict('Unspecified', 'HostNetwork', networkOfNode(opposite));
    default:
      return verdict('Allowed', 'RuleAllows', `${place} allows it`);
  }
}

function isSamePod(own: PodEnd, opposite: End): boolean {
  const isNamed = own.name !== undefined && isPod(opposite);
  return isNamed && own.namespace === opposite.namespace && own.name === opposite.name;
}

const textOf = ({ namespace, name }: PolicyName) => `${namespace}/${name}`;

const networkOfNode = (end: End) =>
  `${nameOfEnd(end)} uses its node's network (hostNetwork): what NetworkPolicies are to it is left to the network plugin`;

const addressOfService = (service: string) =>
  `it is an address of the Service ${service}: whether it is rewritten before NetworkPolicies are applied is left to the network plugin`;

function verdict(decision: Decision, cause: Cause, message: string): Verdict {
  return { decision, cause, message, selectedBy: [] };
}

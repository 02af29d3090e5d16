import {
  array,
  fields,
  integer,
  type ResourceType,
  string,
  stringMap,
} from '../../kubernetes/resource-types/index.ts';

const end = (description: string) =>
  fields(`${description}: name, labels or ip.`, {
    namespace: string('Of the pod.'),
    name: string('Of a pod that is there.'),
    labels: stringMap('Of a pod of which nothing else is known.'),
    ip: string("An address that is no pod's."),
  });

const POLICY = {
  namespace: string('Namespace of the NetworkPolicy.'),
  name: string('Name of the NetworkPolicy.'),
};

const direction = (description: string, own: string) =>
  fields(description, {
    decision: string('Allowed, Denied or Unspecified.'),
    reason: string('Why, in a word.'),
    message: string('Why, in a sentence.'),
    policy: fields('Whose rule decides, where one does.', POLICY),
    rule: integer('Its place in the policy, from 0.'),
    selectedBy: array(`NetworkPolicies that select ${own}.`, fields('A NetworkPolicy.', POLICY)),
  });

/** What a question about reachability holds, and its answer. */
export const REACHABILITY_PROPERTIES: ResourceType['properties'] = {
  spec: fields('The connection.', {
    from: end('The source'),
    to: end('The destination'),
    port: { ...string('Its number, or its name at the destination.'), format: 'int-or-string' },
    protocol: string('TCP (default), UDP or SCTP.'),
    ipFamily: string('IPv4 or IPv6, for pods that have both; otherwise both are looked at.'),
  }),
  status: fields('Whether it is allowed.', {
    decision: string('Allowed, Denied or Unspecified.'),
    port: integer('Number of the port.'),
    egress: direction('What the source may send.', 'the source for egress'),
    ingress: direction('What the destination may receive.', 'the destination for ingress'),
  }),
};

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
    namespace: string('Namespace of the pod.'),
    name: string('Name of an existing pod.'),
    labels: stringMap('Labels of a pod that need not exist.'),
    ip: string('An address outside the cluster.'),
  });

const POLICY = {
  namespace: string('Namespace of the NetworkPolicy.'),
  name: string('Name of the NetworkPolicy.'),
};

const direction = (description: string, own: string) =>
  fields(description, {
    decision: string('Allowed, Denied or Unspecified.'),
    reason: string('The reason, as one word.'),
    message: string('The reason, as a sentence.'),
    policy: fields('The NetworkPolicy whose rule decides, if a rule does.', POLICY),
    rule: integer('Index of the rule in the policy, from 0.'),
    selectedBy: array(`NetworkPolicies that select ${own}.`, fields('A NetworkPolicy.', POLICY)),
  });

/** The fields of a ReachabilityReview: the question in its spec, and the answer in its status. */
export const REACHABILITY_PROPERTIES: ResourceType['properties'] = {
  spec: fields('The connection.', {
    from: end('The source'),
    to: end('The destination'),
    port: { ...string('Port number, or the name of a port of the destination.'), format: 'int-or-string' },
    protocol: string('TCP (default), UDP or SCTP.'),
    ipFamily: string('IPv4 or IPv6, for pods that have both; by default both are checked.'),
  }),
  status: fields('Whether it is allowed.', {
    decision: string('Allowed, Denied or Unspecified.'),
    port: integer('Number of the port.'),
    egress: direction('The verdict about egress of the source.', 'the source for egress'),
    ingress: direction('The verdict about ingress of the destination.', 'the destination for ingress'),
  }),
};

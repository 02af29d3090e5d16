import { type Exceptions, exceptionsOf, type Reason } from './check-suite.ts';

/** Tests that fail on Winnow, by the reason. */
const BY_REASON: readonly Reason[] = [
  [
    'Winnow limits requests by user and AWS by account. It has no queues whose objects and headers could be shown.',
    [
      '[sig-api-machinery] API priority and fairness should ensure that requests can be classified by adding FlowSchema and PriorityLevelConfiguration',
    ],
  ],
  [
    'Kubernetes 1.33 has these kinds only as v1alpha1, behind a feature gate.',
    [
      '[sig-api-machinery] MutatingAdmissionPolicy [Privileged:ClusterAdmin] [Feature:MutatingAdmissionPolicy] [FeatureGate:MutatingAdmissionPolicy] [Alpha] [Feature:OffByDefault] should mutate a Deployment',
      '[sig-api-machinery] MutatingAdmissionPolicy [Privileged:ClusterAdmin] [Feature:MutatingAdmissionPolicy] [FeatureGate:MutatingAdmissionPolicy] [Alpha] [Feature:OffByDefault] should support MutatingAdmissionPolicy API operations',
      '[sig-api-machinery] MutatingAdmissionPolicy [Privileged:ClusterAdmin] [Feature:MutatingAdmissionPolicy] [FeatureGate:MutatingAdmissionPolicy] [Alpha] [Feature:OffByDefault] should support MutatingAdmissionPolicyBinding API operations',
    ],
  ],
  [
    'remainingItemCount is known where the rest was read with the page. Counting the rest would read it, at the price of the objects.',
    [
      '[sig-api-machinery] Servers with support for API chunking should return chunks of results for list calls [Conformance]',
      '[sig-api-machinery] Servers with support for API chunking should support continue listing from the last key if the original version has been compacted away, though the list is inconsistent [Slow] [Conformance]',
    ],
  ],
  [
    'Objects are read in JSON and YAML. Protobuf is accepted only in bodies of writes.',
    [
      '[sig-api-machinery] client-go should negotiate watch and report errors with accept "application/vnd.kubernetes.protobuf"',
    ],
  ],
  [
    'The checks are named after the parts of kube-apiserver. Winnow has others.',
    ['[sig-api-machinery] health handlers should contain necessary checks'],
  ],
  [
    'Winnow has no components whose status it could show. The kind is deprecated.',
    ['[sig-cli] Kubectl client Kubectl get componentstatuses should get componentstatuses'],
  ],
  [
    'The address of the API is loopback or a host name, neither of which may be an endpoint.',
    [
      '[sig-network] EndpointSlice should have Endpoints and EndpointSlices pointing to API Server [Conformance]',
    ],
  ],
];

/**
 * The tests that pass on kube-apiserver and not on Winnow, with the reasons. A test that passes must leave this list.
 */
export const EXCEPTIONS: Exceptions = exceptionsOf(BY_REASON);

/** The labels that a kubelet may set on its own Node, although Kubernetes owns their domains. */
const OF_KUBELET: ReadonlySet<string> = new Set([
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'kubernetes.io/arch',
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
]);
const KUBELET_DOMAINS = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const KUBERNETES_DOMAINS = ['kubernetes.io', 'k8s.io'];
/** Labels of this domain keep workloads away from nodes that are not trusted. */
const RESTRICTED = 'node-restriction.kubernetes.io';

/**
 * Whether a node may not set, change or remove this label of its own Node.
 *
 * @see k8s.io/kubelet/pkg/apis IsKubeletLabel
 */
export function isForbiddenLabel(key: string): boolean {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : '';
  if (isWithin(domain, RESTRICTED)) return true;
  const isOfKubelet = OF_KUBELET.has(key) || KUBELET_DOMAINS.some((own) => isWithin(domain, own));
  return !isOfKubelet && KUBERNETES_DOMAINS.some((own) => isWithin(domain, own));
}

const isWithin = (domain: string, own: string) => domain === own || domain.endsWith(`.${own}`);

import { isJsonObject, type JsonValue } from '../../json/index.ts';
import type { Defaults } from './defaults.ts';
import { isZero } from './is-zero.ts';

const THREE_HOURS = 10_800;

/** The defaults of Services and network policies. */
export const networkDefaults: Defaults = {
  'core.v1.ServicePort': (port) => {
    if (isZero(port.targetPort)) port.targetPort = port.port ?? 0;
  },
  'core.v1.ServiceSpec': (spec) => {
    const reachable = spec.type === 'NodePort' || spec.type === 'LoadBalancer';
    if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
    if (spec.sessionAffinity === 'ClientIP') {
      const config = isJsonObject(spec.sessionAffinityConfig) ? spec.sessionAffinityConfig : {};
      const own = isJsonObject(config.clientIP) ? config.clientIP : {};
      spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: THREE_HOURS, ...own } };
    }
    if (reachable && isZero(spec.externalTrafficPolicy)) spec.externalTrafficPolicy = 'Cluster';
    if (reachable || spec.type === 'ClusterIP') spec.internalTrafficPolicy ??= 'Cluster';
    if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
  },
  'networking.v1.NetworkPolicySpec': (spec) => {
    if (!isEmpty(spec.policyTypes)) return;
    spec.policyTypes = isEmpty(spec.egress) ? ['Ingress'] : ['Ingress', 'Egress'];
  },
};

function isEmpty(value: JsonValue | undefined): boolean {
  return !Array.isArray(value) || value.length === 0;
}

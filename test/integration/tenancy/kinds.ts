import type { JsonObject } from '../../../lib/json/index.ts';
import { podSpec } from '../../support/pod-spec.ts';

export interface WorldKind {
  readonly root: string;
  readonly resource: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  /** The content of a variant. An object may change from any variant to any other. */
  say(variant: number): JsonObject;
}

const selectorOf = (variant: number) => ({ team: 'abcz'.charAt(variant % 4) });

/** The kinds in a world: some select, some are selected, and some do neither. */
export const KINDS: readonly WorldKind[] = [
  core('pods', 'Pod', (variant) => ({ spec: podSpec(`image:${variant}`) })),
  core('configmaps', 'ConfigMap', (variant) => ({ data: { variant: `${variant}` } })),
  core('services', 'Service', (variant) => ({
    spec: { clusterIP: 'None', selector: selectorOf(variant), ports: [{ port: 80 }] },
  })),
  core('secrets', 'Secret', (variant) => ({ stringData: { variant: `${variant}` } })),
  core('nodes', 'Node', (variant) => ({ spec: { unschedulable: variant % 2 === 1 } }), false),
  of('apps', 'deployments', 'Deployment', (variant) => ({
    spec: {
      replicas: variant,
      selector: { matchLabels: { team: 'a' } },
      template: { metadata: { labels: { team: 'a' } }, spec: podSpec() },
    },
  })),
  of('networking.k8s.io', 'networkpolicies', 'NetworkPolicy', (variant) => ({
    spec: { podSelector: { matchLabels: selectorOf(variant) }, policyTypes: ['Ingress'] },
  })),
  // The budget selects no pod, because its effect on an eviction is a declared difference.
  of('policy', 'poddisruptionbudgets', 'PodDisruptionBudget', (variant) => ({
    spec: { minAvailable: variant, selector: { matchLabels: { budget: 'none' } } },
  })),
];

function core(resource: string, kind: string, say: WorldKind['say'], isNamespaced = true): WorldKind {
  return { root: '/api/v1', resource, apiVersion: 'v1', kind, isNamespaced, say };
}

function of(group: string, resource: string, kind: string, say: WorldKind['say']): WorldKind {
  const apiVersion = `${group}/v1`;
  return { root: `/apis/${apiVersion}`, resource, apiVersion, kind, isNamespaced: true, say };
}

/** The path of the objects of a kind, in one namespace or in all. */
export function pathOf({ root, resource, isNamespaced }: WorldKind, namespace: string): string {
  return isNamespaced && namespace !== ''
    ? `${root}/namespaces/${namespace}/${resource}`
    : `${root}/${resource}`;
}

const range = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => name(index));

/** Realistic labels: keys with few and many values, prefixed keys, numbers, the empty value. */
export const VOCABULARY: Readonly<Record<string, readonly string[]>> = {
  app: range(40, (index) => `app-${index}`),
  environment: ['production', 'qa', 'dev', 'staging'],
  tier: ['frontend', 'backend', 'cache', 'control-plane'],
  release: ['stable', 'canary'],
  partition: ['customerA', 'customerB', 'customerC'],
  track: ['daily', 'weekly'],
  team: range(12, (index) => `team-${index}`),
  priority: range(20, (index) => String(index * 5)),
  drained: [''],
  'app.kubernetes.io/name': range(40, (index) => `app-${index}`),
  'app.kubernetes.io/version': range(25, (index) => `1.${index}.0`),
  'app.kubernetes.io/managed-by': ['Helm', 'kustomize'],
  'pod-template-hash': range(200, (index) => `5d4f8c7b${index}`),
  'topology.kubernetes.io/zone': ['us-east-1a', 'us-east-1b', 'us-east-1c'],
  'example.com/cost-center': range(9, (index) => `cc-${index}`),
};

export const KEYS = Object.keys(VOCABULARY);

export const NAMESPACES = ['default', 'shop', 'shop-qa', 'billing', 'data', 'platform'] as const;

export const NODES = range(60, (index) => `node-${index}`);

// Few words for each, so that selectors match labels.
export const NAMESPACES = ['a', 'b', 'c', 'd'];
export const POD_NAMESPACES = [...times(7, 'a'), 'b', 'c', 'd'];
export const APPS = [...times(4, 'web'), 'db', 'cache'];
export const HOSTNAME = 'kubernetes.io/hostname';
export const ZONE = 'topology.kubernetes.io/zone';
export const TOPOLOGY_KEYS = [...times(8, HOSTNAME), ...times(8, ZONE), 'rack', 'rack', 'region', 'nowhere'];
export const NODE_NAMES = Array.from({ length: 14 }, (_, index) => `n${index}`);
/** Images, each with several names and a size. */
export const IMAGES = [
  { names: ['web:1', 'web@sha256:1'], sizeBytes: 123_456_789 },
  { names: ['db:2'], sizeBytes: 700_000_000 },
  { names: ['registry.example:5000/tools/cache:latest'], sizeBytes: 30_000_000 },
  { names: ['base:latest', 'base:9'], sizeBytes: 5_000_000 },
  { names: ['huge:1'], sizeBytes: 5_000_000_000 },
];
/** Images as containers name them; without a tag the latest counts. */
export const CONTAINER_IMAGES = [
  ...IMAGES.flatMap(({ names }) => names),
  'base',
  'registry.example:5000/tools/cache',
  'unknown:1',
];
export const TAINT_KEYS = ['dedicated', 'gpu', 'node.kubernetes.io/unschedulable', 'slow'];
export const EFFECTS = ['NoSchedule', 'NoExecute', 'PreferNoSchedule'];
export const CPU = ['0', '1m', '50m', '100m', '0.25', '250m', '1500m', '1e0', '0.0001'];
export const MEMORY = ['0', '1', '64Mi', '128Mi', '200Mi', '1Gi', '500M', '1500m', '2Gi', '1e9'];
export const STORAGE = ['0', '1Gi', '10Gi', '5G'];
export const COUNTS = ['0', '1', '2', '3'];
/** Names of scalar resources; the scheduler does not know `foo` as a resource. */
export const SCALARS = [
  'example.com/gpu',
  'hugepages-2Mi',
  'kubernetes.io/batch-cpu',
  'foo',
  'requests.example.com/x',
];

function times(count: number, word: string): string[] {
  return Array.from({ length: count }, () => word);
}

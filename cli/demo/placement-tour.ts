import { join } from 'node:path';
import type { JsonObject } from '../../lib/json/index.ts';
import type { Client, KubernetesObject } from '../client.ts';
import { nodeLines, type PlacementStatus } from '../place/index.ts';
import { screen } from '../screen.ts';
import { Checks } from './checks.ts';
import { readObjects } from './documents.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/placement');
const REVIEWS = '/apis/winnow.dev/v1/placementreviews';
const PODS = '/api/v1/namespaces/default/pods';

/** Shows the examples of the page "Assigning Pods to Nodes", and checks each answer. Returns how many were wrong. */
export async function placementTour(client: Client): Promise<number> {
  const checks = new Checks();
  screen.title('1. Nodes with labels, and one with a taint');
  await addNodes(client, 'nodes.yaml');
  screen.title('2. nodeSelector');
  const selected = await place(client, 'with-node-selector.yaml');
  checks.equal(selected.assigned, ['node-3']);
  screen.title('3. Node affinity: one of two zones, and a preferred label');
  const { feasible, refused } = await place(client, 'with-node-affinity.yaml');
  checks.equal(
    feasible.map(({ node }) => node),
    ['node-2', 'node-1'],
  );
  checks.equal(
    refused.map(({ node, rule }) => `${node}:${rule}`),
    ['node-3:NodeAffinity', 'node-4:TaintToleration'],
  );
  await showWebStore(client, checks);
  await showErrands(client, checks);
  return checks.count;
}

/** Places three caches on separate hosts, and then servers on separate hosts that have a cache. */
async function showWebStore(client: Client, checks: Checks): Promise<void> {
  screen.title('4. Pods on separate nodes, and next to other pods');
  const caches = await place(client, 'redis-cache.yaml', 3);
  checks.equal(caches.assigned.toSorted(), ['node-1', 'node-2', 'node-3']);
  screen.say('Two of them are bound to their nodes:');
  for (const [number, node] of caches.assigned.slice(0, 2).entries()) {
    await bind(client, { file: 'redis-cache.yaml', name: `redis-cache-${number}`, node });
  }
  const servers = await place(client, 'web-server.yaml', 3);
  checks.equal(servers.assigned.toSorted(), caches.assigned.slice(0, 2).toSorted());
  checks.equal([String(servers.message)], [THIRD_SERVER]);
}

/** Two nodes have a server each, one has no cache, and one has a taint for tests. */
const THIRD_SERVER =
  "0/4 nodes are available: 1 node(s) didn't match pod affinity rules, 1 node(s) had untolerated taint {dedicated: tests}, 2 node(s) didn't match pod anti-affinity rules.";

/** Places errands on robots instead of pods on nodes. */
async function showErrands(client: Client, checks: Checks): Promise<void> {
  screen.title('5. Beyond pods: errands on robots');
  await addNodes(client, 'robots.yaml');
  screen.command('kubectl apply -f examples/placement/errand-definition.yaml');
  const [definition] = await readObjects([join(EXAMPLES, 'errand-definition.yaml')]);
  if (definition === undefined) throw new Error('examples/placement/errand-definition.yaml holds no object');
  screen.answer(await client.apply(definition));
  const errands = await place(client, 'errand.yaml', 5);
  checks.equal(errands.assigned, ['robot-2', 'robot-2', 'robot-1', 'robot-1']);
}

async function addNodes(client: Client, file: string): Promise<void> {
  screen.command(`kubectl apply -f examples/placement/${file}`);
  screen.command(`kubectl replace --subresource=status -f examples/placement/${file}   # their capacity`);
  const names: string[] = [];
  for (const node of await readObjects([join(EXAMPLES, file)])) {
    await client.apply(node);
    await client.merge(`/api/v1/nodes/${node.metadata.name}/status`, { status: node.status ?? null });
    names.push(node.metadata.name);
  }
  screen.answer(names.join(' '));
}

async function place(client: Client, file: string, count = 1): Promise<PlacementStatus> {
  screen.command(`winnow place -f examples/placement/${file}${count === 1 ? '' : ` --count ${count}`}`);
  const [object] = await readObjects([join(EXAMPLES, file)]);
  if (object === undefined) throw new Error(`${file} holds no object`);
  const answer = await client.ask('POST', REVIEWS, { spec: { object, count } });
  const status = answer.status as unknown as PlacementStatus;
  for (const line of nodeLines(status)) screen.answer(line);
  if (status.message !== undefined) screen.answer(status.message);
  return status;
}

interface Bound {
  /** The file of a Deployment. */
  readonly file: string;
  readonly name: string;
  readonly node: string;
}

/** Creates a pod and binds it to a node, as a scheduler does. */
async function bind(client: Client, { file, name, node }: Bound): Promise<void> {
  const [deployment] = await readObjects([join(EXAMPLES, file)]);
  const { template } = (deployment as KubernetesObject & { spec: { template: JsonObject } }).spec;
  const { metadata, spec } = template as { metadata: JsonObject; spec: JsonObject };
  await client.ask('POST', PODS, { metadata: { ...metadata, name }, spec });
  await client.ask('POST', `${PODS}/${name}/binding`, {
    metadata: { name },
    target: { kind: 'Node', name: node },
  });
  screen.answer(`pod/${name} is bound to ${node}`);
}

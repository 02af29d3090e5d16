import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

const EXAMPLES = '../examples/placement';

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster({ placement: true });
  terminal = cluster.terminal;
  await terminal.run(`kubectl apply -f ${EXAMPLES}/nodes.yaml`);
  await terminal.run(`kubectl replace --subresource=status -f ${EXAMPLES}/nodes.yaml`);
});

afterAll(() => cluster?.stop());

const wide = () => terminal.table('kubectl get pods -o wide --no-headers');
const nodeOf = async (pod: string) => (await wide()).find(([name]) => name === pod)?.[6];
const bound = (pod: string) =>
  eventually(`${pod} is bound`, async () => {
    const node = await nodeOf(pod);
    return node !== undefined && node !== '<none>' && node;
  });

describe("kubectl, with Winnow's placement", () => {
  it('shows the node of a pod, or why it has none yet', async () => {
    await terminal.run(`kubectl apply -f ${EXAMPLES}/scheduled.yaml`);
    expect(await bound('web')).toMatch(/^node-[123]$/);
    await terminal.run('kubectl wait --for=condition=PodScheduled pod/web --timeout=20s');
    const line =
      "0/4 nodes are available: 1 node(s) had untolerated taint {dedicated: tests}, 3 node(s) didn't match Pod's node affinity/selector.";
    await eventually('the scheduler says why', async () =>
      (await terminal.run('kubectl describe pod picky')).includes(line),
    );
    expect(await terminal.run('kubectl describe pod picky')).toMatch(
      /Warning +FailedScheduling .*winnow-placement/,
    );
    expect(await terminal.run('kubectl describe pod web')).toContain(
      'Successfully assigned default/web to node-',
    );
    expect(await nodeOf('picky')).toBe('<none>');
    await terminal.run('kubectl label node node-2 disktype=nvme');
    expect(await bound('picky')).toBe('node-2');
  });

  it('leaves pods of other schedulers alone', async () => {
    await terminal.run(
      'kubectl run other --image=i && kubectl run gone --image=i --overrides=\'{"spec":{"schedulerName":"winnow"}}\'',
    );
    await bound('gone');
    expect(await nodeOf('other')).toBe('<none>');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Running, Terminal } from './harness/terminal.ts';

let cluster: Cluster;
let terminal: Terminal;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
  await terminal.run('kubectl apply -f fixtures/pods.yaml');
});

afterAll(() => cluster?.stop());

/** The events that a watch with --output-watch-events shows, each with the name of its object, after `count` events. */
async function events(watch: Running, count: number): Promise<readonly string[]> {
  const [, ...rows] = await watch.table(count + 1);
  return rows.map(([event, name]) => `${event} ${name}`);
}

describe('kubectl get -w -l', () => {
  it('shows objects that enter the selected set, change in it and leave it', async () => {
    const watch = terminal.start(
      `kubectl get pods -w --output-watch-events -l 'tier=frontend,environment in (production,qa)'`,
    );
    expect(await events(watch, 3)).toEqual([
      'ADDED guestbook-frontend-1',
      'ADDED guestbook-frontend-2',
      'ADDED guestbook-frontend-qa',
    ]);
    await terminal.run('kubectl label pod label-demo tier=frontend');
    await terminal.run('kubectl annotate pod label-demo note=seen');
    await terminal.run('kubectl label pod redis-dev note=unseen');
    await terminal.run('kubectl label pod guestbook-frontend-qa environment=dev --overwrite');
    await terminal.run('kubectl label pod label-demo tier-');
    await terminal.run('kubectl delete pod guestbook-frontend-2');
    expect((await events(watch, 8)).slice(3)).toEqual([
      'ADDED label-demo',
      'MODIFIED label-demo',
      'DELETED guestbook-frontend-qa',
      'DELETED label-demo',
      'DELETED guestbook-frontend-2',
    ]);
    watch.end();
  });

  it('shows an object that left in its last matching state', async () => {
    const watch = terminal.start(
      'kubectl get pods --watch-only --output-watch-events --show-labels -l component=redis,environment=production',
    );
    await untilSeen(watch, (count) =>
      terminal.run(`kubectl annotate pod redis-leader probe=${count} --overwrite`),
    );
    await terminal.run('kubectl label pod redis-leader environment=dev --overwrite');
    await watch.until((output) => output.some((line) => line.startsWith('DELETED')));
    expect(watch.output.at(-1)?.split(/ +/).at(-1)).toBe(
      'app=guestbook,component=redis,environment=production,release=stable,tier=cache',
    );
    watch.end();
  });
});

describe('kubectl get -w of one object', () => {
  it('shows the object at once, and then its changes only', async () => {
    const watch = terminal.start('kubectl get pod cuda-test -w --show-labels');
    expect((await watch.table(2))[1]?.at(-1)).toBe('<none>');
    await terminal.run('kubectl label pod redis-dev unseen=1');
    await terminal.run('kubectl label pod cuda-test seen=1');
    await terminal.run('kubectl label pod cuda-test seen=2 --overwrite');
    // Kubernetes may show the present state again when the watch begins. This test does not count these repetitions.
    await watch.until((output) => output.some((line) => line.endsWith('seen=2')));
    const labels = (await watch.table(2)).slice(1).map((row) => row.at(-1));
    expect([...new Set(labels)]).toEqual(['<none>', 'seen=1', 'seen=2']);
    watch.end();
  });

  it("prints the object's fields with -o jsonpath", async () => {
    const watch = terminal.start(
      `kubectl get pod cuda-test -w -o jsonpath='{.metadata.labels.color}{"\\n"}'`,
    );
    await watch.until((output) => output.length >= 1);
    await terminal.run('kubectl label pod cuda-test color=green');
    await watch.until((output) => output.at(-1) === 'green');
    watch.end();
  });
});

describe('kubectl get -w', () => {
  it('ends without an error when its watch ends', async () => {
    const watch = terminal.start(
      `kubectl get --raw '/api/v1/namespaces/default/pods?watch=true&timeoutSeconds=1&labelSelector=component'`,
    );
    expect(await watch.ended).toBe(0);
    const lines = watch.output.filter((line) => line !== '').map((line) => JSON.parse(line));
    expect(lines.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      'ADDED redis-dev',
      'ADDED redis-leader',
    ]);
  });
});

/** Makes changes until a watch shows one. A watch without output may not be open yet. */
async function untilSeen(watch: Running, change: (count: number) => Promise<unknown>): Promise<void> {
  for (let count = 1; watch.output.length < 2; count += 1) {
    if (count > 100) throw new Error('the watch shows nothing');
    await change(count);
  }
}

import assert from 'node:assert/strict';
import type { HttpClient, KubernetesObject } from '../../support/service/http-client.ts';
import { type WatchLine, WatchStream } from '../../support/service/watch-stream.ts';
import { PODS, type Step } from '../trial.ts';

const SELECTOR = 'labelSelector=watched';
const HELD = 10_000;

export const watch: Step = {
  name: 'watch',
  run: async ({ deployment, options }) => {
    const { http, terminal } = deployment;
    const from = await http.version(PODS);
    const told = follow(http, from, 3);
    await terminal.run('kubectl label pod cuda-test watched=yes');
    await terminal.run('kubectl annotate pod cuda-test note=seen');
    await terminal.run('kubectl label pod cuda-test watched-');
    assert.deepEqual(await told, ['ADDED cuda-test', 'MODIFIED cuda-test', 'DELETED cuda-test']);
    const waiting = terminal.run(
      `kubectl wait pod/cuda-test --for=jsonpath='{.metadata.labels.late}'=yes --timeout=40s`,
    );
    await http.merge(`${PODS}/cuda-test`, { metadata: { labels: { late: 'yes' } } });
    assert.equal(await waiting, 'pod/cuda-test condition met');
    return options.target.emulator
      ? 'ADDED, MODIFIED, DELETED in long polls'
      : 'ADDED, MODIFIED, DELETED in a stream';
  },
};

/** Watches as clients do: comes again at the last resourceVersion whenever the watch ends. */
async function follow(http: HttpClient, from: string, count: number): Promise<string[]> {
  const told: string[] = [];
  let at = from;
  for (const end = performance.now() + 60_000; told.length < count && performance.now() < end; ) {
    const query = `watch=true&${SELECTOR}&resourceVersion=${at}&timeoutSeconds=${HELD / 1_000}`;
    const headers = await http.login();
    const stream = await WatchStream.open(`${http.url}${PODS}?${query}`, { headers });
    await stream.ended(HELD + 20_000);
    told.push(...stream.told);
    at = lastVersion(stream.events) ?? at;
  }
  return told;
}

function lastVersion(events: readonly WatchLine[]): string | undefined {
  const object: KubernetesObject | undefined = events.at(-1)?.object;
  return object?.metadata.resourceVersion;
}

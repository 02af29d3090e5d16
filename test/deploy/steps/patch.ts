import assert from 'node:assert/strict';
import { PODS, type Step } from '../trial.ts';

export const patch: Step = {
  name: 'patch',
  run: async ({ deployment }) => {
    const { http, terminal } = deployment;
    const stale = (await http.get(`${PODS}/redis-dev`)).body;
    const patches = [
      `--type=merge -p '{"metadata":{"labels":{"by":"merge"}}}'`,
      `--type=json -p '[{"op":"replace","path":"/metadata/labels/by","value":"json"}]'`,
      `-p '{"spec":{"containers":[{"name":"redis","image":"redis:8"}]}}'`,
    ];
    for (const one of patches) {
      assert.equal(await terminal.run(`kubectl patch pod redis-dev ${one}`), 'pod/redis-dev patched');
    }
    const path = '{.metadata.labels.by} {.spec.containers[*].image}';
    assert.equal(await terminal.run(`kubectl get pod redis-dev -o jsonpath='${path}'`), 'json redis:8');
    const { status, reason } = await http.send('PUT', `${PODS}/redis-dev`, { body: stale });
    assert.deepEqual([status, reason], [409, 'Conflict']);
    return 'merge, JSON and strategic; 409 for a stale PUT';
  },
};

import assert from 'node:assert/strict';
import { PODS, type Step } from '../trial.ts';

export const remove: Step = {
  name: 'delete',
  run: async ({ deployment }) => {
    const { http, terminal } = deployment;
    const told = await terminal.run('kubectl delete pod redis-dev');
    assert.match(told, /^pod "redis-dev" deleted/);
    await http.delete(`${PODS}/extra`);
    for (const name of ['redis-dev', 'extra']) {
      const { status, reason } = await http.send('GET', `${PODS}/${name}`);
      assert.deepEqual([name, status, reason], [name, 404, 'NotFound']);
    }
    assert.deepEqual(await http.names(`${PODS}?labelSelector=tier%20in%20(extra)`), []);
    return 'with kubectl and over HTTP';
  },
};

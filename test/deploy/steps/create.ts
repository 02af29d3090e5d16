import assert from 'node:assert/strict';
import { podSpec } from '../../support/pod-spec.ts';
import { NAMESPACE, PODS, type Step } from '../trial.ts';

export const create: Step = {
  name: 'create',
  run: async ({ deployment }) => {
    const { http, terminal } = deployment;
    const made = await terminal.run(
      `kubectl create namespace ${NAMESPACE} --dry-run=client -o yaml | kubectl apply -f -`,
    );
    assert.equal(made, `namespace/${NAMESPACE} created`);
    await terminal.run(`kubectl config set-context --current --namespace ${NAMESPACE}`);
    const applied = await terminal.lines('kubectl apply -f fixtures/pods.yaml');
    assert.ok(
      applied.every((line) => line.endsWith(' created')),
      applied.join('\n'),
    );
    const pod = { metadata: { name: 'extra', labels: { tier: 'extra' } }, spec: podSpec() };
    const refused = await http.send('POST', PODS, { body: { ...pod, metadata: { name: 'Not A Name' } } });
    assert.deepEqual([refused.status, refused.reason], [422, 'Invalid']);
    const { body } = await http.post(PODS, pod);
    assert.equal(body.metadata.name, 'extra');
    const again = await http.send('POST', PODS, { body: pod });
    assert.deepEqual([again.status, again.reason], [409, 'AlreadyExists']);
    return `${applied.length} pods with kubectl, 1 over HTTP`;
  },
};

import assert from 'node:assert/strict';
import { describe, Inbox } from '../../support/service/inbox.ts';
import { NAMESPACE, type Step, type Trial } from '../trial.ts';

export const subscribe: Step = {
  name: 'subscribe with kubectl, receive with SQS',
  run: async (trial) => {
    const { terminal } = trial.deployment;
    const applied = await terminal.run('kubectl apply -f fixtures/subscription.yaml');
    assert.equal(applied, 'subscription.winnow.dev/frontends created');
    const met = await terminal.run('kubectl wait subscription/frontends --for=condition=Ready --timeout=40s');
    assert.equal(met, 'subscription.winnow.dev/frontends condition met');
    trial.inbox = await openInbox(trial);
    await terminal.run('kubectl label pod label-demo tier=frontend');
    await terminal.run('kubectl annotate pod label-demo note=seen');
    await terminal.run('kubectl label pod redis-leader note=unseen');
    await terminal.run('kubectl label pod guestbook-frontend-qa environment=dev --overwrite');
    await terminal.run('kubectl delete pod guestbook-frontend-1');
    const events = await trial.inbox.until(({ length }) => length >= 4, 60_000);
    assert.deepEqual(events.map(describe), [
      'ADDED label-demo',
      'MODIFIED label-demo',
      'DELETED guestbook-frontend-qa',
      'DELETED guestbook-frontend-1',
    ]);
    return 'ADDED, MODIFIED, DELETED, in order';
  },
};

async function openInbox({ deployment, options }: Trial): Promise<Inbox> {
  const inbox = new Inbox({
    http: deployment.http,
    sqs: options.target.client,
    name: 'frontends',
    namespace: NAMESPACE,
  });
  await inbox.synced();
  return inbox.read();
}

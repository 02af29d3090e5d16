import assert from 'node:assert/strict';
import type { Terminal } from '../../conformance/harness/terminal.ts';
import { describe, Inbox } from '../../support/service/inbox.ts';
import { NAMESPACE, type Step, type Trial } from '../trial.ts';

const EXAMPLES = '../examples';
const LOST = `'{"apiVersion":"fleet.example/v1","kind":"Device","metadata":{"name":"x"},"spec":{"model":"x2","state":"lost"}}'`;

export const defineKind: Step = {
  name: "a kind of one's own",
  run: async (trial) => {
    const { terminal } = trial.deployment;
    await terminal.run(`kubectl apply -f ${EXAMPLES}/device-definition.yaml`);
    await terminal.run(`kubectl apply -f ${EXAMPLES}/devices.yaml`);
    await select(terminal);
    const refused = await terminal.refused(`echo ${LOST} | kubectl create -f -`);
    assert.match(refused, /spec\.state: Unsupported value: "lost"/);
    await terminal.run(`kubectl apply -f ${EXAMPLES}/subscription.yaml`);
    const inbox = openInbox(trial);
    try {
      await inbox.synced();
      inbox.read();
      await terminal.run('kubectl label device cam-2 site=north --overwrite');
      await terminal.run('kubectl delete crd devices.fleet.example --timeout=40s');
      const events = await inbox.until(({ length }) => length >= 3, 60_000);
      const [first, ...rest] = events.map(describe);
      assert.deepEqual([first, ...rest.toSorted()], ['ADDED cam-2', 'DELETED cam-1', 'DELETED cam-2']);
    } finally {
      inbox.close();
    }
    await terminal.run('kubectl delete subscription north');
    assert.match(
      await terminal.refused('kubectl get devices'),
      /could not find|doesn't have a resource type/,
    );
    return 'defined, selected, refused, subscribed, deleted with its objects';
  },
};

/** By label and by field, one of which is a default. */
async function select(terminal: Terminal): Promise<void> {
  const names = (rest: string) => terminal.run(`kubectl get devices -o name ${rest}`);
  assert.equal(await names('-l site=north'), 'device.fleet.example/cam-1');
  assert.equal(await names('--field-selector spec.state=active'), 'device.fleet.example/cam-1');
  assert.equal(await names('--field-selector spec.state=retired'), 'device.fleet.example/cam-2');
}

function openInbox({ deployment, options }: Trial): Inbox {
  const { http } = deployment;
  return new Inbox({ http, sqs: options.target.client, name: 'north', namespace: NAMESPACE });
}

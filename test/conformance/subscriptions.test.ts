import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  TagQueueCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describe as describeEvent, type Inbox } from '../support/service/inbox.ts';
import { type Cluster, startCluster } from './harness/start-cluster.ts';
import type { Terminal } from './harness/terminal.ts';

const SYNCED = `kubectl wait subscription/frontends --for=jsonpath='{.status.phase}'=Synced --timeout=40s`;
const QUEUE_URL = `kubectl get subscription frontends -o jsonpath='{.status.queueUrl}'`;

let cluster: Cluster;
let terminal: Terminal;
let inbox: Inbox;

beforeAll(async () => {
  cluster = await startCluster();
  terminal = cluster.terminal;
  inbox = cluster.service.inbox('frontends');
  await terminal.run('kubectl apply -f fixtures/pods.yaml');
});

afterAll(() => cluster?.stop());

/** The events that the queue received from number `from` on, once there are `count` of them. */
async function received(from: number, count: number): Promise<readonly string[]> {
  const events = await inbox.until(({ length }) => length >= from + count);
  return events.slice(from).map(describeEvent);
}

describe('A Subscription', () => {
  it('kubectl applies a Subscription, which gets synced and ready', async () => {
    expect(await terminal.run('kubectl apply -f conformance/manifests/frontends.yaml')).toBe(
      'subscription.winnow.dev/frontends created',
    );
    expect(await terminal.run(SYNCED)).toBe('subscription.winnow.dev/frontends condition met');
    expect(
      await terminal.run('kubectl wait subscription/frontends --for=condition=Ready --timeout=5s'),
    ).toContain('met');
  });

  it('kubectl get -o wide shows its selector, its phase and its queue', async () => {
    const [head, row] = await terminal.table('kubectl get subscriptions -o wide');
    const cells = Object.fromEntries((head ?? []).map((name, index) => [name, row?.[index]]));
    const queueUrl = await terminal.run(QUEUE_URL);
    expect(cells).toMatchObject({
      NAME: 'frontends',
      RESOURCE: 'pods',
      SELECTOR: 'tier=frontend,environment in (production,qa)',
      PHASE: 'Synced',
      QUEUE: queueUrl,
      MESSAGE: 'changes are sent as they happen',
      ARN: expect.stringMatching(/^arn:aws:sqs:[a-z0-9-]+:\d{12}:.*\.fifo$/),
    });
    expect(queueUrl).toMatch(/^http:.*\.fifo$/);
    expect(String(cells.ARN).split(':').at(-1)).toBe(queueUrl.split('/').at(-1));
  });

  it('kubectl describe shows its lag and its Events', async () => {
    const text = (await terminal.lines('kubectl describe subscription frontends')).join('\n');
    expect(text).toMatch(/Lag:\s+Changes:\s+0\s+Seconds:\s+0/);
    expect(text).toMatch(
      /Events:\s+Type\s+Reason.*\n.*\n\s+Normal\s+Synced\s.*winnow-subscriptions\s+changes are sent to arn:/,
    );
    const events = await terminal.run('kubectl get events --field-selector involvedObject.kind=Subscription');
    expect(events).toMatch(/Normal\s+Synced\s+subscription\/frontends\s+changes are sent to arn:/);
  });

  it('kubectl get shows the position in its status', async () => {
    const yaml = await terminal.lines('kubectl get sub frontends -o yaml');
    expect(yaml).toEqual(
      expect.arrayContaining([
        'status:',
        '  phase: Synced',
        expect.stringMatching(/^ {2}position: "?\d+"?$/),
      ]),
    );
  });

  it('Its queue receives the set that kubectl shows, and every change of it', async () => {
    const selected = await terminal.lines(
      `kubectl get pods -o name -l 'tier=frontend,environment in (production,qa)'`,
    );
    await inbox.synced();
    expect(inbox.queueUrl).toBe(await terminal.run(QUEUE_URL));
    inbox.read();
    expect(await received(0, 4)).toEqual([
      ...selected.map((name) => name.replace('pod/', 'ADDED ')),
      'BOOKMARK',
    ]);
    await terminal.run('kubectl label pod label-demo tier=frontend');
    await terminal.run('kubectl annotate pod label-demo note=seen');
    await terminal.run('kubectl label pod redis-dev note=unseen');
    await terminal.run('kubectl label pod guestbook-frontend-qa environment=dev --overwrite');
    await terminal.run('kubectl delete pod guestbook-frontend-1');
    expect(await received(4, 4)).toEqual([
      'ADDED label-demo',
      'MODIFIED label-demo',
      'DELETED guestbook-frontend-qa',
      'DELETED guestbook-frontend-1',
    ]);
  });

  it('Its queue receives the objects that leave and enter when its selector is edited', async () => {
    const before = await terminal.lines(
      `kubectl get pods -o name -l 'tier=frontend,environment in (production,qa)'`,
    );
    expect(await terminal.run('kubectl apply -f conformance/manifests/frontends-dev.yaml')).toBe(
      'subscription.winnow.dev/frontends configured',
    );
    const left = before.map((name) => name.replace('pod/', 'DELETED '));
    const byName = [...left, 'ADDED guestbook-frontend-qa', 'ADDED redis-dev'].sort((one, other) =>
      one.replace(/^\w+ /, '') < other.replace(/^\w+ /, '') ? -1 : 1,
    );
    expect(await received(8, before.length + 3)).toEqual([...byName, 'BOOKMARK']);
    expect(await terminal.run(SYNCED)).toContain('condition met');
    await terminal.run('kubectl label pod cuda-test environment=dev');
    expect(await received(before.length + 11, 1)).toEqual(['ADDED cuda-test']);
    const edited = `kubectl get events --field-selector reason=Edited -o jsonpath='{.items[0].message}'`;
    expect(await terminal.run(edited)).toContain('edit 2 is complete');
  });

  it('Its queue receives nothing during a suspension, and the missed changes afterwards', async () => {
    const { length } = inbox.events;
    const patch = (suspend: unknown) =>
      `kubectl patch subscription frontends --type=merge -p '{"spec":{"suspend":${JSON.stringify(suspend)}}}'`;
    expect(await terminal.refused(patch('yes'))).toContain('spec.suspend: Invalid value: ');
    await terminal.run(patch(true));
    await terminal.run(
      `kubectl wait subscription/frontends --for=jsonpath='{.status.phase}'=Suspended --timeout=40s`,
    );
    await terminal.run('kubectl annotate pod cuda-test note=missed');
    expect(await terminal.run('kubectl get subscription frontends')).toContain('Suspended');
    const missed = await terminal.run(
      `kubectl get subscription frontends -o jsonpath='{.status.lag.changes}'`,
    );
    expect(Number(missed)).toBeGreaterThan(0);
    expect(inbox.events).toHaveLength(length);
    await terminal.run(patch(false));
    expect(await received(length, 1)).toEqual(['MODIFIED cuda-test']);
    expect(await terminal.run(SYNCED)).toContain('condition met');
    expect(await terminal.run('kubectl describe subscription frontends')).toMatch(/Normal\s+Resumed/);
  });

  it('Its policy allows its consumers to receive, and Winnow refuses other principals', async () => {
    const patch = (arn: string) =>
      `kubectl patch subscription frontends --type=merge -p '{"spec":{"consumers":["${arn}"]}}'`;
    expect(await terminal.refused(patch('*'))).toContain(
      'spec.consumers[0]: Invalid value: "*": must be the ARN of an IAM user, of a role, or of an account',
    );
    expect(await terminal.refused(patch('arn:aws:iam::444455556666:role/reader'))).toContain(
      'spec.consumers[0]: Invalid value: "arn:aws:iam::444455556666:role/reader": account 444455556666 may not receive: the setting consumers is own, which allows 000000000000',
    );
    await terminal.run(patch('arn:aws:iam::000000000000:role/reader'));
    expect(
      await terminal.run(
        'kubectl wait subscription/frontends --for=condition=ConsumersPermitted --timeout=40s',
      ),
    ).toContain('met');
    const attributes = new GetQueueAttributesCommand({
      QueueUrl: inbox.queueUrl,
      AttributeNames: ['Policy'],
    });
    const { Attributes } = await inbox.sqs.send(attributes);
    expect(Attributes?.Policy).toContain('"AWS":["arn:aws:iam::000000000000:role/reader"]');
    expect(Attributes?.Policy).toContain('{"Bool":{"aws:SecureTransport":"false"}}');
  });

  it('kubectl cannot change its resource', async () => {
    expect(await terminal.refused('kubectl apply -f conformance/manifests/frontends-moved.yaml')).toMatch(
      /^The Subscription "frontends" is invalid: spec\.resource: Invalid value: .*: field is immutable$/,
    );
  });

  it('kubectl deletes a Subscription together with its queue', async () => {
    const QueueName = inbox.queueUrl.split('/').at(-1);
    expect(await terminal.run('kubectl delete subscription frontends')).toMatch(
      /^subscription\.winnow\.dev "frontends" deleted/,
    );
    expect((await terminal.either('kubectl get subscriptions')).output).toContain('No resources found');
    await expect(inbox.sqs.send(new GetQueueUrlCommand({ QueueName }))).rejects.toThrow(/does not exist/);
  });
});

describe('A Subscription to a queue of a user', () => {
  const wait = (condition: string) => `kubectl wait subscription/mine --for=${condition} --timeout=40s`;
  const subscribed = (queue: string) => `kubectl apply -f - <<'EOF'
apiVersion: winnow.dev/v1
kind: Subscription
metadata: { name: mine }
spec:
  resource: { resource: pods }
  start: snapshot
  queue: ${queue}
EOF`;

  const TAG = 'the tag winnow:deliver with the value winnow-local';

  it('Winnow sends a token to a tagged queue, sends objects once the token is in the spec, and leaves the queue at the end', async () => {
    const QueueName = 'mine.fifo';
    const Attributes = { FifoQueue: 'true' };
    const { QueueUrl } = await inbox.sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
    const named = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] });
    const arn = (await inbox.sqs.send(named)).Attributes?.QueueArn ?? '';
    expect(await terminal.refused(subscribed('{ arn: mine.fifo }'))).toContain(
      'spec.queue.arn: Invalid value: "mine.fifo": must be the ARN of an SQS queue',
    );
    await terminal.run(subscribed(`{ arn: "${arn}" }`));
    await terminal.run(
      wait(`jsonpath='{.status.conditions[0].message}'='${arn} has to have ${TAG}, and has no such tag'`),
    );
    const Tags = { 'winnow:deliver': 'winnow-local' };
    await inbox.sqs.send(new TagQueueCommand({ QueueUrl, Tags }));
    await terminal.run('kubectl patch subscription mine --type=merge -p \'{"spec":{"payload":"Metadata"}}\'');
    const take = async () => {
      const receive = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20, MaxNumberOfMessages: 1 });
      const [message] = (await inbox.sqs.send(receive)).Messages ?? [];
      const ReceiptHandle = message?.ReceiptHandle;
      await inbox.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      return JSON.parse(message?.Body ?? '{}');
    };
    const { type, object } = await take();
    expect(type).toBe('TOKEN');
    await terminal.run(wait(`jsonpath='{.status.phase}'=Pending`));
    const patch = JSON.stringify({ spec: { queue: { token: object.token } } });
    await terminal.run(`kubectl patch subscription mine --type=merge -p '${patch}'`);
    expect((await take()).type).toBe('ADDED');
    await terminal.run(wait(`jsonpath='{.status.phase}'=Synced`));
    expect(await terminal.run(`kubectl get subscription mine -o jsonpath='{.status.queueArn}'`)).toBe(arn);
    expect(await terminal.run('kubectl describe subscription mine')).toMatch(/Normal\s+TokenSent/);
    await terminal.run('kubectl delete subscription mine');
    expect((await inbox.sqs.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl).toBe(QueueUrl);
  });
});

describe('A Subscription with a namespaceSelector', () => {
  const apply = (spec: string) => `kubectl apply -f - <<'EOF'
apiVersion: winnow.dev/v1
kind: Subscription
metadata: { name: pink }
spec:
  resource: { resource: configmaps }
  labelSelector: kind=setting
  start: snapshot
${spec}
EOF`;
  const settle = (namespace: string, name: string) =>
    terminal.run(
      `kubectl create configmap ${name} -n ${namespace} && kubectl label configmap ${name} -n ${namespace} kind=setting`,
    );

  it('A Subscription follows namespaces as their labels change, and a wrong spec is refused with a reason', async () => {
    for (const name of ['north', 'south']) await terminal.run(`kubectl create namespace ${name}`);
    await terminal.run('kubectl label namespace north team=pink');
    await settle('north', 'one');
    await settle('south', 'two');
    expect(await terminal.refused(apply('  namespaces: All\n  namespaceSelector: {}'))).toContain(
      'spec.namespaceSelector: Forbidden: may not be set together with spec.namespaces',
    );
    await terminal.run(apply('  namespaceSelector: { matchLabels: { team: pink } }'));
    await terminal.run(
      `kubectl wait subscription/pink --for=jsonpath='{.status.phase}'=Synced --timeout=40s`,
    );
    expect(await terminal.run('kubectl describe subscription pink')).toMatch(/selected: north/);
    const pink = cluster.service.inbox('pink');
    await pink.synced();
    pink.read();
    const told = async (count: number) => {
      const events = await pink.until(({ length }) => length >= count);
      return events.slice(0, count).map(describeEvent);
    };
    expect(await told(2)).toEqual(['ADDED one', 'BOOKMARK']);
    await terminal.run('kubectl label namespace south team=pink');
    expect((await told(4)).slice(2)).toEqual(['ADDED two', 'BOOKMARK']);
    await terminal.run('kubectl label namespace north team-');
    expect((await told(6)).slice(4)).toEqual(['DELETED one', 'BOOKMARK']);
    await terminal.run('kubectl delete namespace south');
    expect((await told(8)).slice(6)).toEqual(['DELETED two', 'BOOKMARK']);
    await terminal.run('kubectl delete subscription pink');
  });
});

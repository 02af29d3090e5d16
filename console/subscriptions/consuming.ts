/** What the texts about consuming need of a Subscription. */
export interface Consumed {
  readonly name: string;
  readonly namespace: string;
  /** The URL of Winnow. */
  readonly server: string;
  readonly queueUrl: string;
  /** The path of the collection, with its namespace if the set is in one. */
  readonly collection: string;
  readonly selector: string;
  readonly fields: string;
}

/** A way to get the changes that a Subscription delivers. */
export interface Way {
  readonly name: string;
  readonly note: string;
  /** A command or a program, to copy. */
  readonly text: string;
}

/** Returns the ways to follow a Subscription. The first and the last read no messages from its queue. */
export function waysToConsume(consumed: Consumed): readonly Way[] {
  const { name, namespace, server, queueUrl, collection, selector, fields } = consumed;
  const query = new URLSearchParams({ watch: 'true' });
  if (selector !== '') query.set('labelSelector', selector);
  if (fields !== '') query.set('fieldSelector', fields);
  const local = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])/.test(queueUrl);
  const endpoint = local ? ` --endpoint-url ${new URL(queueUrl).origin}` : '';
  return [
    {
      name: 'Terminal',
      note: 'Prints the changes and leaves the queue as it is.',
      text: `bin/winnow.js tail ${name} --namespace ${namespace}`,
    },
    {
      name: 'TypeScript',
      note: 'Keeps the set in your program, after crashes and repeated messages too.',
      text: `import { httpSubscription, Replica } from '@winnow-dev/client';

const source = { server: '${server}', name: '${name}', namespace: '${namespace}' };
const set = new Replica(httpSubscription(source));
set.on('add', ({ metadata }) => console.log('entered', metadata.name));
set.on('update', ({ metadata }) => console.log('changed', metadata.name));
set.on('delete', ({ metadata }) => console.log('left', metadata.name));
await set.run();`,
    },
    {
      name: 'AWS CLI',
      note: 'Receives messages. Other consumers do not see them for 30 s.',
      text:
        queueUrl === ''
          ? '# The queue does not exist yet.'
          : `aws sqs receive-message${endpoint} --queue-url ${queueUrl} --message-attribute-names All --wait-time-seconds 20`,
    },
    {
      name: 'curl',
      note: 'Watches the same set over HTTP, without the queue.',
      text: `curl -N '${server}${collection}?${query}'`,
    },
  ];
}

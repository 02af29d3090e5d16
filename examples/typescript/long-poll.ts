import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const [QueueUrl] = process.argv.slice(2); // the Subscription's status.queueUrl
const sqs = new SQSClient({});
const newest = new Map<string, Version>();

interface Version {
  readonly edit: bigint;
  readonly rv: bigint;
}

function isNewer({ edit, rv }: Version, known: Version = { edit: 0n, rv: 0n }): boolean {
  return edit > known.edit || (edit === known.edit && rv > known.rv);
}

for (;;) {
  const wait = { MaxNumberOfMessages: 10, WaitTimeSeconds: 20 };
  const asked = new ReceiveMessageCommand({ QueueUrl, ...wait, MessageAttributeNames: ['edit'] });
  for (const { Body = '', MessageAttributes, ReceiptHandle } of (await sqs.send(asked)).Messages ?? []) {
    const { type, object } = JSON.parse(Body);
    const { namespace = '', name, resourceVersion = 0 } = object.metadata;
    const edit = BigInt(MessageAttributes?.edit?.StringValue ?? 0);
    const version = { edit, rv: BigInt(resourceVersion) };
    const key = `${namespace}/${name}`;
    if (type === 'ERROR') {
      newest.clear(); // a new snapshot follows
      console.log(type, object.message);
    } else if (type === 'BOOKMARK') {
      console.log(`edit ${edit} is complete`);
    } else if (isNewer(version, newest.get(key))) {
      newest.set(key, version); // also for DELETED: an older event may arrive again
      console.log(type, key, resourceVersion);
    }
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
}

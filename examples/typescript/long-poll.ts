import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

const [QueueUrl] = process.argv.slice(2); // the Subscription's status.queueUrl
const sqs = new SQSClient({});
const newest = new Map<string, bigint>();

for (;;) {
  const asked = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 });
  for (const { Body = '', ReceiptHandle } of (await sqs.send(asked)).Messages ?? []) {
    const { type, object } = JSON.parse(Body);
    const { namespace = '', name, resourceVersion, annotations } = object.metadata;
    const key = `${namespace}/${name}`;
    if (type === 'ERROR') {
      newest.clear(); // forget all that you know: a fresh snapshot follows
      console.log(type, object.message);
    } else if (type === 'BOOKMARK') {
      if (annotations?.['k8s.io/initial-events-end']) console.log('the snapshot is complete');
    } else if (BigInt(resourceVersion) > (newest.get(key) ?? 0n)) {
      newest.set(key, BigInt(resourceVersion)); // also of what is DELETED: an older event may come again
      console.log(type, key, resourceVersion);
    }
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
}

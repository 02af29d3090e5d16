import { expect, it } from '@jest/globals';
import { sqsConfigOf } from '../../../lib/client/sqs-queue.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

it.each([
  [
    'http://127.0.0.1:4566/000000000000/a.fifo',
    { endpoint: 'http://127.0.0.1:4566', region: 'us-east-1', credentials },
  ],
  ['http://localhost:1/0/a', { endpoint: 'http://localhost:1', region: 'us-east-1', credentials }],
  ['http://[::1]:1/0/a', { endpoint: 'http://[::1]:1', region: 'us-east-1', credentials }],
  ['https://sqs.eu-west-1.amazonaws.com/111122223333/a', { region: 'eu-west-1' }],
  ['https://sqs.cn-north-1.amazonaws.com.cn/111122223333/a', { region: 'cn-north-1' }],
  ['https://sqs-fips.us-east-1.api.aws/111122223333/a', { region: 'us-east-1' }],
  ['http://sqs.us-east-1.localhost.localstack.cloud:4566/000000000000/a', {}],
])('The SQS client for %s', (url, config) => {
  expect(sqsConfigOf(url)).toEqual(config);
});

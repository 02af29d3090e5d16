import { describe, expect, it } from '@jest/globals';
import { explainSqs, sqsAccess } from '../../../cli/doctor/sqs-access.ts';

const LOCAL = { accessKeyId: 'local', secretAccessKey: 'local' };

describe('The endpoint and credentials for a queue', () => {
  it.each([
    ['https://sqs.eu-west-1.amazonaws.com/111122223333/a.fifo', {}, { region: 'eu-west-1' }],
    ['https://sqs.cn-north-1.amazonaws.com.cn/111122223333/a.fifo', {}, { region: 'cn-north-1' }],
    [
      'http://127.0.0.1:4100/000000000000/a.fifo',
      {},
      { region: 'us-east-1', endpoint: 'http://127.0.0.1:4100', credentials: LOCAL },
    ],
    [
      'https://127.0.0.1:4566/000000000000/a.fifo',
      { AWS_ACCESS_KEY_ID: 'test', AWS_REGION: 'eu-west-1' },
      { region: 'eu-west-1', endpoint: 'https://127.0.0.1:4566' },
    ],
    [
      'http://sqs.us-east-1.localhost.localstack.cloud:4566/000000000000/a.fifo',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' },
      { region: 'us-east-1' },
    ],
  ])('%s', (url, environment, access) => {
    expect(sqsAccess(url, environment)).toEqual(access);
  });

  it('Credentials go to no other host', () => {
    expect(() => sqsAccess('https://sqs.eu-west-1.amazonaws.com.evil.example/1/a', {})).toThrow(
      'the queue is at sqs.eu-west-1.amazonaws.com.evil.example, which is neither AWS nor this machine',
    );
  });
});

const errorOf = (name: string, httpStatusCode?: number) =>
  Object.assign(new Error('so it is'), { name, $metadata: { httpStatusCode } });

describe('The reason why a queue cannot be read from this machine', () => {
  it.each([
    ['CredentialsProviderError', undefined, 'no AWS credentials to read the queue'],
    ['AccessDeniedException', 403, 'your credentials may not read the queue'],
    ['InvalidClientTokenId', 403, 'your credentials may not read the queue'],
    ['ExpiredTokenException', 403, 'your credentials may not read the queue'],
    ['TimeoutError', undefined, 'this machine cannot reach SQS: so it is'],
  ])('%s', (name, status, says) => {
    expect(explainSqs(errorOf(name, status))?.message).toContain(says);
  });

  it('A deleted queue is not such a reason', () => {
    expect(explainSqs(errorOf('QueueDoesNotExist', 400))).toBeUndefined();
  });
});

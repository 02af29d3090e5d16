import { describe, expect, it } from '@jest/globals';
import { waysToConsume } from '../../../../console/subscriptions/consuming.ts';

const consumed = {
  name: 'frontends',
  namespace: 'shop',
  server: 'http://127.0.0.1:8080',
  queueUrl: 'http://127.0.0.1:9324/000000000000/a.fifo',
  collection: '/api/v1/namespaces/shop/pods',
  selector: 'tier in (a,b)',
  fields: '',
};
const textOf = (name: string, change: Partial<typeof consumed> = {}) =>
  waysToConsume({ ...consumed, ...change }).find((way) => way.name === name)?.text;

describe('Ways to read the changes of a Subscription', () => {
  it('The first way reads no queue, and names the Subscription', () => {
    expect(waysToConsume(consumed)[0]?.text).toBe('bin/winnow.js tail frontends --namespace shop');
  });

  it('The AWS CLI gets the endpoint of a local queue, and none for AWS', () => {
    expect(textOf('AWS CLI')).toContain(
      '--endpoint-url http://127.0.0.1:9324 --queue-url http://127.0.0.1:9324/',
    );
    const queueUrl = 'https://sqs.eu-central-1.amazonaws.com/111122223333/a.fifo';
    expect(textOf('AWS CLI', { queueUrl })).not.toContain('--endpoint-url');
    expect(textOf('AWS CLI', { queueUrl: '' })).toContain('does not exist yet');
  });

  it('curl watches the set, with its selectors encoded', () => {
    expect(textOf('curl', { fields: 'Ready=True' })).toBe(
      "curl -N 'http://127.0.0.1:8080/api/v1/namespaces/shop/pods?watch=true&labelSelector=tier+in+%28a%2Cb%29&fieldSelector=Ready%3DTrue'",
    );
  });

  it('The program names the server, the Subscription and its namespace', () => {
    expect(textOf('TypeScript')).toContain("name: 'frontends', namespace: 'shop'");
  });
});

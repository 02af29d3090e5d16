import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { winnow } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';

const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

const put = (name: string, site: string) =>
  service.http.post(CONFIGMAPS, { metadata: { name, labels: { site } } });
const subscribe = (name: string, more: object) =>
  service.subscribe(name, {
    resource: { group: '', resource: 'configmaps' },
    labelSelector: 'site=north',
    start: 'snapshot',
    ...more,
  });
const verify = (name: string) => winnow('verify', name, '--url', service.winnow.url);

it('winnow verify reports that the queue received exactly the listed objects', async () => {
  await put('here', 'north');
  const inbox = await subscribe('north', { verify: true });
  await put('cam', 'north');
  await put('elsewhere', 'south');
  const read = inbox.read();
  const [last] = (
    await read.until((events) => events.some(({ object }) => object.metadata.name === 'cam'))
  ).slice(-1);
  const { sequence = '', set = '' } = last?.attributes ?? {};
  const [, digest] = set.split('/');
  const { code, out, errors } = await verify('north');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(out.split('\n')).toEqual([
    `  delivered 2 objects, digest ${digest}, after ${sequence} messages`,
    expect.stringMatching(`^ {2}listed {4}2 objects, digest ${digest}, at resourceVersion \\d+$`),
    '  Match: the queue received exactly the objects that the LIST shows.',
    '',
  ]);
});

it('winnow verify exits with 1 for a Subscription that has no proof or does not exist', async () => {
  await subscribe('uncounted', {});
  expect(await verify('uncounted')).toMatchObject({
    code: 1,
    errors:
      'Subscription uncounted has no proof: recreate it with spec.verify: true\nThe field cannot be changed later.\n',
  });
  expect(await verify('none')).toMatchObject({
    code: 1,
    errors:
      'the Subscription none does not exist in namespace default\nList them: kubectl get subscriptions --all-namespaces.\n',
  });
});

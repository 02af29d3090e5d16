import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { winnow } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

const run = (...parameters: string[]) => winnow(...parameters, '--url', service.winnow.url);

it('winnow types prints the types of a kind that kubectl would name', async () => {
  const { code, out, errors } = await run('types', 'subscriptions.winnow.dev');
  expect([code, errors]).toEqual([0, '']);
  expect(out).toContain("resource<Subscription>('winnow.dev/v1', 'subscriptions')");
  expect((await run('types', 'no')).out).toContain("resource<Node>('v1', 'nodes', { scope: 'Cluster' })");
});

it('winnow types reports a type that the server does not have', async () => {
  const { code, out, errors } = await run('types', 'ghosts.example');
  expect([code, out]).toEqual([1, '']);
  expect(errors).toContain('the server has no type ghosts.example');
});

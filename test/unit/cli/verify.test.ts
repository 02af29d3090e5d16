import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { verify } from '../../../cli/verify/verify.ts';
import { type Listening, listen } from '../../support/listen.ts';

const SPEC = { verify: true, resource: { resource: 'pods' }, labelSelector: 'app=x' };
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
const TRUE = `1/${digest('default/a@7')}`;

let api: Listening | undefined;

afterEach(async () => {
  jest.restoreAllMocks();
  await api?.stop();
});

/** An API with one Subscription and one pod in two pages, and the requests that it received. */
async function serve(status: object, spec: object = SPEC) {
  const asked: string[] = [];
  api = await listen(
    createServer(({ url = '' }, response) => {
      asked.push(url);
      const list = (items: readonly object[], next: string) => ({ items, metadata: { continue: next } });
      const answer = url.includes('/subscriptions/')
        ? { spec, status }
        : url.includes('continue=')
          ? list([], '')
          : list([{ metadata: { namespace: 'default', name: 'a', resourceVersion: '7' } }], 'more');
      response.end(JSON.stringify(answer));
    }),
  );
  const said: string[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  return { asked, said, done: verify('sub', { namespace: 'default', url: api.url }) };
}

describe('winnow verify', () => {
  it('verify lists all selected objects at the position of the Subscription', async () => {
    const { asked, said, done } = await serve({ position: '9', sequence: 3, set: TRUE });
    await done;
    expect(said.at(-1)).toContain('Match');
    expect(asked[1]).toBe(
      '/api/v1/namespaces/default/pods?labelSelector=app%3Dx&fieldSelector=&limit=500&resourceVersion=9&resourceVersionMatch=Exact',
    );
    expect(asked[2]).toContain('continue=more');
    expect(asked).toHaveLength(3);
  });

  it.each([
    ['another object', `1/${digest('default/a@6')}`],
    ['more than there is', `2/${digest('default/a@7')}`],
  ])('verify fails if the queue received %s', async (_, set) => {
    const { said, done } = await serve({ position: '9', sequence: 3, set });
    await expect(done).rejects.toThrow(
      'Mismatch: the queue received a different set of objects than the LIST shows',
    );
    expect(said).toHaveLength(2);
  });

  it('verify fails if the Subscription is not verified', async () => {
    const { done } = await serve({ position: '9' }, { ...SPEC, verify: false });
    await expect(done).rejects.toThrow('has no proof');
  });
});

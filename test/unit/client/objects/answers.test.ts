import { describe, expect, it } from '@jest/globals';
import { connect, NotFoundError, resource } from '../../../../lib/client/objects/index.ts';

const DEVICES = resource('fleet.example/v1', 'devices', { kind: 'Device' });

/** Devices of a server that gives the same answer to each request, and the requests. */
function answering(answer: () => Response) {
  const requests: string[] = [];
  const fetching = (async (input: string | URL | Request) => {
    requests.push(String(input));
    return answer();
  }) as typeof fetch;
  const winnow = connect({ url: 'http://127.0.0.1:1', fetch: fetching });
  return { devices: winnow.objects(DEVICES, { namespace: 'default' }), requests };
}

const json = (body: object, headers = {}) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json', ...headers } });

describe('The answer of a server', () => {
  it('A 404 without a Status is a NotFoundError that says what the server lacks', async () => {
    const { devices } = answering(() => new Response('404 page not found', { status: 404 }));
    const error = await devices.get('cam').catch((caught) => caught);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain('HTTP status 404: the server does not serve this kind');
  });

  it('An error of the function that gets the warnings is the caller’s own, and repeats nothing', async () => {
    const { devices, requests } = answering(() => json({}, { warning: '299 - "old"' }));
    const warnings: string[] = [];
    const warned = (given: readonly string[]) => {
      warnings.push(...given);
      throw new Error('mine');
    };
    const applying = devices.apply({ metadata: { name: 'cam' } }, { warned });
    await expect(applying).rejects.toThrow(new Error('mine'));
    expect([warnings, requests.length]).toEqual([['old'], 1]);
  });

  it('Facets refuse a text that is no label key before they ask the server', async () => {
    const { devices, requests } = answering(() => json({}));
    for (const key of ['', 'a,b', 'a b']) {
      await expect(devices.facets([key])).rejects.toThrow(`"${key}" is not a label key`);
    }
    await expect(devices.facets([] as unknown as ['a'])).rejects.toThrow('one label key at least');
    expect(requests).toEqual([]);
  });
});

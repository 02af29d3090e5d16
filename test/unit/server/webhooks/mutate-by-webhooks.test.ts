import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { mutateByWebhooks } from '../../../../lib/server/webhooks/index.ts';
import {
  type Answering,
  answering,
  askingOf,
  attributes,
  configuration,
  patching,
  pod,
  webhook,
} from './fixtures.ts';

function mutate(answers: Record<string, Answering>, webhooks: readonly JsonObject[], others: object = {}) {
  const { transport, requests } = answering(answers);
  const asking = askingOf([configuration('c', ...webhooks)], transport, others);
  return { requests, result: mutateByWebhooks({ ...asking, complete: async (object) => object }) };
}

const setLabel = (key: string, value: string) =>
  patching({ op: 'add', path: `/metadata/labels/${key}`, value });

describe('mutating webhooks', () => {
  it('see the object that the webhook before them made', async () => {
    const { requests, result } = mutate(
      { 'a.example': () => setLabel('a', '1'), 'b.example': () => setLabel('b', '2') },
      [webhook('a.example'), webhook('b.example')],
    );
    await expect(result).resolves.toMatchObject({ object: pod({ a: '1', b: '2' }), changed: true });
    expect(requests.map(({ request }) => request.object)).toEqual([pod({}), pod({ a: '1' })]);
  });

  it('note each call and patch for the audit log', async () => {
    const { result } = mutate({ 'a.example': () => setLabel('a', '1') }, [
      webhook('a.example'),
      webhook('b.example'),
    ]);
    const { notes } = await result;
    expect(notes.annotations).toEqual({
      'mutation.webhook.admission.k8s.io/round_0_index_0':
        '{"configuration":"c","webhook":"a.example","mutated":true}',
      'mutation.webhook.admission.k8s.io/round_0_index_1':
        '{"configuration":"c","webhook":"b.example","mutated":false}',
      'patch.webhook.admission.k8s.io/round_0_index_0':
        '{"configuration":"c","webhook":"a.example","patch":[{"op":"add","path":"/metadata/labels/a","value":"1"}],"patchType":"JSONPatch"}',
    });
  });

  it('are asked once more after a later change, if they ask for it', async () => {
    const { requests, result } = mutate(
      { 'a.example': () => setLabel('a', '1'), 'b.example': () => setLabel('b', '2') },
      [
        webhook('a.example', { reinvocationPolicy: 'IfNeeded' }),
        webhook('b.example', { reinvocationPolicy: 'IfNeeded' }),
        webhook('c.example'),
      ],
    );
    await result;
    expect(requests.map(({ webhook: name }) => name)).toEqual([
      'a.example',
      'b.example',
      'c.example',
      'a.example',
    ]);
  });

  it('are not asked again after a patch that changes nothing', async () => {
    const { requests, result } = mutate(
      { 'b.example': () => patching({ op: 'test', path: '/kind', value: 'Pod' }) },
      [webhook('a.example', { reinvocationPolicy: 'IfNeeded' }), webhook('b.example')],
    );
    await expect(result).resolves.toMatchObject({ object: pod({}), changed: false });
    expect(requests).toHaveLength(2);
  });

  it('end the write with the first denial, before the next webhook is asked', async () => {
    const { requests, result } = mutate({ 'a.example': () => ({ allowed: false }) }, [
      webhook('a.example'),
      webhook('b.example'),
    ]);
    await expect(result).rejects.toMatchObject({ code: 400 });
    expect(requests).toHaveLength(1);
  });

  it('leave the object as it is after a failed call, where failurePolicy is Ignore', async () => {
    const { result } = mutate(
      { 'a.example': () => ({ status: 500, text: '' }), 'b.example': () => setLabel('b', '2') },
      [webhook('a.example', { failurePolicy: 'Ignore' }), webhook('b.example')],
    );
    const { object, notes } = await result;
    expect(object).toEqual(pod({ b: '2' }));
    expect(notes.annotations['failed-open.mutation.webhook.admission.k8s.io/round_0_index_0']).toBe(
      'a.example',
    );
  });

  it.each<[string, JsonObject, RegExp]>([
    [
      'does not apply',
      patching({ op: 'remove', path: '/spec' }),
      /does not apply: operation 0: remove \/spec/,
    ],
    ['is not JSON', { allowed: true, patchType: 'JSONPatch', patch: 'x' }, /not JSON in base64/],
    ['has no type', { allowed: true, patch: 'W10=' }, /patch but not response.patchType/],
    [
      'has another type',
      { allowed: true, patch: 'W10=', patchType: 'Merge' },
      /unsupported patch type "Merge"/,
    ],
  ])('fail with 500, if a patch %s', async (_, answer, message) => {
    const { result } = mutate({ 'a.example': () => answer }, [webhook('a.example')]);
    await expect(result).rejects.toMatchObject({ code: 500, message: expect.stringMatching(message) });
  });

  it('cannot change a DELETE', async () => {
    const deleting = {
      attributes: { ...attributes, operation: 'DELETE', object: undefined, oldObject: pod({}) },
    };
    const { result } = mutate({ 'a.example': () => setLabel('a', '1') }, [webhook('a.example')], deleting);
    await expect(result).rejects.toMatchObject({
      message: expect.stringContaining('attempted to modify the object'),
    });
  });
});

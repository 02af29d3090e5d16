import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { TransportError, validateByWebhooks } from '../../../../lib/server/webhooks/index.ts';
import { type Answering, answering, askingOf, attributes, configuration, webhook } from './fixtures.ts';

async function refusalOf(answer: Answering, others: JsonObject = {}) {
  const { transport } = answering({ 'a.example': answer });
  const asking = askingOf([configuration('c', webhook('a.example', others))], transport);
  try {
    await validateByWebhooks(asking);
  } catch (error) {
    const { code, reason, message, details } = error as Record<string, never>;
    return { code, reason, message, details };
  }
  return undefined;
}

const FAILED = 'Internal error occurred: failed calling webhook "a.example": ';

describe('validating webhooks', () => {
  it('receive one AdmissionReview each, by the names of their configurations', async () => {
    const { transport, requests } = answering({});
    const configurations = [
      configuration('b', webhook('3.example')),
      configuration('a', webhook('1.example'), webhook('2.example')),
    ];
    await expect(validateByWebhooks(askingOf(configurations, transport))).resolves.toEqual({
      warnings: [],
      annotations: {},
    });
    expect(requests.map(({ webhook: name }) => name)).toEqual(['1.example', '2.example', '3.example']);
    expect(requests[0]?.request).toEqual({
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: attributes.kind,
      resource: attributes.resource,
      requestKind: attributes.kind,
      requestResource: attributes.resource,
      name: 'web',
      namespace: 'shop',
      operation: 'CREATE',
      userInfo: { username: 'ann', groups: ['dev'] },
      object: attributes.object,
      oldObject: null,
      dryRun: false,
      options: attributes.options,
    });
  });

  it('add warnings and audit annotations', async () => {
    const { transport } = answering({
      'a.example': () => ({ allowed: true, warnings: ['old image'], auditAnnotations: { image: 'web:1' } }),
    });
    const asking = askingOf([configuration('c', webhook('a.example'))], transport);
    await expect(validateByWebhooks(asking)).resolves.toEqual({
      warnings: ['old image'],
      annotations: { 'a.example/image': 'web:1' },
    });
  });

  it('refuse a write with the Status of the first one that denies it', async () => {
    const { transport, requests } = answering({
      'b.example': () => ({ allowed: false, status: { code: 403, reason: 'Forbidden', message: 'no' } }),
      'c.example': () => ({ allowed: false, status: { message: 'never' } }),
    });
    const all = configuration('c', webhook('a.example'), webhook('b.example'), webhook('c.example'));
    await expect(validateByWebhooks(askingOf([all], transport))).rejects.toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'admission webhook "b.example" denied the request: no',
    });
    expect(requests).toHaveLength(3);
  });

  it.each<[string, JsonObject, string]>([
    ['nothing', {}, 'admission webhook "a.example" denied the request without explanation'],
    ['a reason', { status: { reason: 'Bad' } }, 'admission webhook "a.example" denied the request: Bad'],
    [
      'a success',
      { status: { code: 200 } },
      'admission webhook "a.example" denied the request without explanation',
    ],
  ])('deny with 400 where the answer gives %s', async (_, response, message) => {
    await expect(refusalOf(() => ({ allowed: false, ...response }))).resolves.toMatchObject({
      code: 400,
      message,
    });
  });

  it('keep only details that a Status has', async () => {
    const causes = [{ reason: 'FieldValueInvalid', message: 'bad', field: 'spec.x', other: 1 }, 7];
    const details = { name: 'web', causes, retryAfterSeconds: 'soon', evil: true };
    await expect(
      refusalOf(() => ({ allowed: false, status: { code: 422, details } })),
    ).resolves.toMatchObject({
      details: { name: 'web', causes: [{ reason: 'FieldValueInvalid', message: 'bad', field: 'spec.x' }] },
    });
  });

  it.each<[string, Answering, string]>([
    [
      'of another uid',
      () => ({ uid: 'x', allowed: true }),
      'received invalid webhook response: expected response.uid=',
    ],
    [
      'with a patch',
      () => ({ allowed: true, patch: 'W10=' }),
      'received invalid webhook response: validating webhook may not return response.patch',
    ],
    [
      'that is not JSON',
      () => ({ status: 200, text: 'ok' }),
      'failed to call webhook: the answer of the webhook is not JSON',
    ],
    [
      'without a response',
      () => ({ status: 200, text: '{}' }),
      'received invalid webhook response: webhook response was absent',
    ],
    [
      'of status 500',
      () => ({ status: 500, text: 'oh "no"' }),
      'failed to call webhook: an error on the server ("oh \\"no\\"") has prevented the request from succeeding',
    ],
    [
      'of status 404',
      () => ({ status: 404, text: '' }),
      'failed to call webhook: the server could not find the requested resource',
    ],
    ['that redirects', () => ({ status: 302, text: '' }), 'failed to call webhook: the server answered 302'],
  ])('fail with 500 on an answer %s', async (_, answer, message) => {
    const refusal = await refusalOf(answer);
    expect(refusal).toMatchObject({ code: 500, reason: 'InternalError' });
    expect(refusal?.message).toContain(`${FAILED}${message}`);
  });

  it('let a write pass after a failed call, and note it, where failurePolicy is Ignore', async () => {
    const { transport } = answering({ 'a.example': () => ({ status: 500, text: '' }) });
    const ignoring = webhook('a.example', { failurePolicy: 'Ignore' });
    await expect(validateByWebhooks(askingOf([configuration('c', ignoring)], transport))).resolves.toEqual({
      warnings: [],
      annotations: { 'failed-open.validating.webhook.admission.k8s.io/round_0_index_0': 'a.example' },
    });
  });

  it('refuse a write even where failurePolicy is Ignore, if they deny it', async () => {
    await expect(refusalOf(() => ({ allowed: false }), { failurePolicy: 'Ignore' })).resolves.toMatchObject({
      code: 400,
    });
  });

  it('are not called for a place that the operator does not list', async () => {
    const refusal = await refusalOf(() => ({ allowed: true }), {
      clientConfig: { url: 'https://other.example/' },
    });
    expect(refusal?.message).toContain(`${FAILED}failed to call webhook: other.example is not among`);
  });

  it('refuse a dry run with 400, if their calls have side effects', async () => {
    const { transport, requests } = answering({});
    const effects = webhook('a.example', { sideEffects: 'Some', failurePolicy: 'Ignore' });
    const asking = askingOf([configuration('c', effects)], transport, {
      attributes: { ...attributes, dryRun: true },
    });
    await expect(validateByWebhooks(asking)).rejects.toMatchObject({
      code: 400,
      message: 'admission webhook "a.example" does not support dry run',
    });
    expect(requests).toEqual([]);
  });

  it('get their own timeout, or the rest of the time for all calls', async () => {
    const { transport, requests } = answering({});
    const all = configuration(
      'c',
      webhook('a.example', { timeoutSeconds: 3 }),
      webhook('b.example', { timeoutSeconds: 30 }),
    );
    await validateByWebhooks(askingOf([all], transport));
    expect(requests.map(({ timeout }) => timeout)).toEqual([3_000, 15_000]);
  });

  it('are not called when the time for all calls is over', async () => {
    const { transport, requests } = answering({});
    const asking = askingOf([configuration('c', webhook('a.example'))], transport, { until: 1_000 });
    await expect(validateByWebhooks(asking)).rejects.toMatchObject({ code: 504, reason: 'Timeout' });
    expect(requests).toEqual([]);
  });

  it('get one second for half a minute after three timeouts in a row', async () => {
    const timeouts: number[] = [];
    let now = 1_000;
    const base = askingOf([configuration('c', webhook('a.example', { failurePolicy: 'Ignore' }))], {
      post: async (_, __, timeout) => {
        timeouts.push(timeout);
        throw new TransportError('context deadline exceeded', true);
      },
    });
    Object.assign(base.caller.clock, { now: () => now });
    const asking = { ...base, until: 1_000_000 };
    for (let count = 0; count < 4; count += 1) await validateByWebhooks(asking);
    now += 30_000;
    await validateByWebhooks(asking);
    expect(timeouts).toEqual([10_000, 10_000, 10_000, 1_000, 10_000]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { auditIDOf } from '../../../../functions/http/audit-id.ts';
import { serveBuffered, serveStreamed } from '../../../../functions/http/serve.ts';
import { inRequest, requestContext } from '../../../../functions/request-context.ts';
import { systemClock as clock } from '../../../../lib/platform/index.ts';
import type { Api } from '../../../../lib/server/index.ts';
import { contextWith, proxyEvent, REQUEST_ID } from './proxy-event.ts';

const asked = (auditID: string) => proxyEvent({ multiValueHeaders: { 'Audit-ID': [auditID] } });
const context = contextWith(30_000);

describe('The id of a request', () => {
  it.each(['a', 'deploy-7.2_x', '6f772632-0000-4000-8000-716c43069c43', 'x'.repeat(64)])(
    'The id is the one that the client sent: %s',
    (given) => {
      expect(auditIDOf({ 'audit-id': given }, proxyEvent({}))).toBe(given);
    },
  );

  it.each(['', ' ', 'a b', 'a\nb', 'a,b', '"', 'é', 'x'.repeat(65)])(
    "The id is the gateway's if the client's has a meaning in logs or headers: %j",
    (given) => {
      expect(auditIDOf({ 'audit-id': given }, proxyEvent({}))).toBe(REQUEST_ID);
    },
  );

  it("The id is the gateway's if the client sent none", () => {
    expect(auditIDOf({}, proxyEvent({}))).toBe(REQUEST_ID);
  });
});

describe('The headers of an answer', () => {
  const api: Api = { handle: async () => ({ status: 200, headers: { a: 'b' }, body: '{}' }) };

  it.each([
    ['of the API', 'GET'],
    ['to another method than the function serves', 'POST'],
  ])('The answer of %s names its request, buffered or streamed', async (_, httpMethod) => {
    const options = { api, clock, methods: ['GET'] };
    const event = { ...asked('mine'), httpMethod };
    expect((await serveBuffered(options)(event, context)).headers).toMatchObject({ 'audit-id': 'mine' });
    expect((await serveStreamed(options)(event, context)).headers).toMatchObject({ 'audit-id': 'mine' });
  });
});

describe('The request id during an answer', () => {
  it('The id is known until the stream ends, apart from the ids of other requests', async () => {
    const seen: unknown[] = [];
    async function* lines() {
      for (let line = 0; line < 2; line += 1) {
        await new Promise(setImmediate);
        seen.push(requestContext()?.auditID);
        yield '\n';
      }
    }
    const api: Api = { handle: async () => ({ status: 200, headers: {}, body: lines() }) };
    const over: string[] = [];
    const serve = serveStreamed({ api, clock, methods: ['GET'], over: () => over.push('over') });
    const streams = await Promise.all(['one', 'two'].map((auditID) => serve(asked(auditID), context)));
    expect(over).toEqual([]);
    // The reader of the stream is no part of the request.
    await inRequest({ auditID: 'a reader' }, () => Promise.all(streams.map(({ body }) => readAll(body))));
    expect(seen.toSorted()).toEqual(['one', 'one', 'two', 'two']);
    expect(over).toEqual(['over', 'over']);
    expect(requestContext()).toBeUndefined();
  });
});

async function readAll(body: Awaited<ReturnType<ReturnType<typeof serveStreamed>>>['body']): Promise<void> {
  for await (const _ of body);
}

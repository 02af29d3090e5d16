import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { invokeFunction } from '../../../../functions/webhooks/function-transport.ts';
import { type Listening, listen } from '../../../support/listen.ts';

const arnOf = (name: string) => `arn:aws:lambda:eu-west-1:111122223333:function:${name}`;
/** Answers of Lambda by the name of the function. */
const answers: Readonly<Record<string, (response: ServerResponse, body: string) => void>> = {
  guard: (response, body) => response.end(`{"got":${body}}`),
  broken: (response) =>
    response.setHeader('x-amz-function-error', 'Unhandled').end('{"errorMessage":"it broke"}'),
  denied: (response) =>
    response
      .writeHead(403, { 'x-amzn-errortype': 'AccessDeniedException' })
      .end('{"Message":"not authorized to perform: lambda:InvokeFunction"}'),
  slow: () => {},
};

let lambda: Listening;
const variables = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
const before = new Map<string, string | undefined>();

beforeAll(async () => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const name =
      decodeURIComponent(request.url ?? '')
        .split(/[:/]/)
        .at(-2) ?? '';
    answers[name]?.(response, Buffer.concat(chunks).toString('utf8'));
  });
  lambda = await listen(server);
  for (const [name, value] of Object.entries({ ...variables, AWS_ENDPOINT_URL_LAMBDA: lambda.url })) {
    before.set(name, process.env[name]);
    process.env[name] = value;
  }
});

afterAll(async () => {
  await lambda.stop();
  for (const [name, value] of before) {
    if (value === undefined) {
      delete process.env[name];
    } else {
      process.env[name] = value;
    }
  }
});

describe('a Lambda function as webhook', () => {
  it('receives the review as its event, and its result is the answer', async () => {
    const answer = await invokeFunction(arnOf('guard'), '{"request":{}}', 30_000);
    expect(answer).toEqual({ status: 200, text: '{"got":{"request":{}}}' });
  });

  it.each([
    ['fails', 'broken', 'Unhandled: {"errorMessage":"it broke"}'],
    ['may not be invoked', 'denied', 'not authorized to perform: lambda:InvokeFunction'],
  ])('is a failed call if it %s', async (_how, name, message) => {
    await expect(invokeFunction(arnOf(name), '{}', 30_000)).rejects.toMatchObject({
      name: 'TransportError',
      message: expect.stringContaining(`Invoke "${arnOf(name)}": ${message}`),
      isTimeout: false,
    });
  });

  it('is a timeout if it gives no result in time', async () => {
    await expect(invokeFunction(arnOf('slow'), '{}', 200)).rejects.toMatchObject({
      message: `Invoke "${arnOf('slow')}": context deadline exceeded`,
      isTimeout: true,
    });
  });
});

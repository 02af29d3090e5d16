import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { invokeFunction } from '../../../../functions/webhooks/function-transport.ts';
import { startFakeLambda } from '../../../support/fake-lambda.ts';
import type { Listening } from '../../../support/listen.ts';

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

beforeAll(async () => {
  lambda = await startFakeLambda((response, { path, event }) => {
    const name = decodeURIComponent(path).split(/[:/]/).at(-2) ?? '';
    answers[name]?.(response, event);
  });
});

afterAll(() => lambda.stop());

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

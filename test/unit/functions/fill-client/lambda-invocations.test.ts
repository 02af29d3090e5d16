import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { invoke } from '../../../../functions/fill-client/lambda-invocations.ts';
import { startFakeLambda } from '../../../support/fake-lambda.ts';
import type { Listening } from '../../../support/listen.ts';

type Respond = (response: ServerResponse) => void;

let lambda: Listening;
/** The answers that are still to come, and the paths of the requests so far. */
let answers: Respond[];
let paths: string[];

beforeEach(async () => {
  [answers, paths] = [[], []];
  lambda = await startFakeLambda((response, { path }) => {
    paths.push(path);
    const respond = answers.shift() ?? ((each) => each.writeHead(500).end());
    respond(response);
  }, '/own');
});

afterEach(() => lambda.stop());

const ask = () => invoke('fill', { from: 1 }, undefined);
const busy: Respond = (response) => response.writeHead(429).end('{"Message":"Rate exceeded"}');

describe('an invocation of the function fill', () => {
  it('goes to the endpoint of the environment, and returns the result of the function', async () => {
    answers = [(response) => response.end('{"filled":1}')];
    await expect(ask()).resolves.toEqual({ filled: 1 });
    expect(paths).toEqual(['/own/2015-03-31/functions/fill/invocations']);
  });

  it('is repeated once where Lambda is busy', async () => {
    answers = [busy, (response) => response.end('null')];
    await expect(ask()).resolves.toBeNull();
    expect(paths).toHaveLength(2);
  });

  it('fails after the second refusal of Lambda', async () => {
    answers = [busy, busy];
    await expect(ask()).rejects.toThrow('fill failed: Rate exceeded');
    expect(paths).toHaveLength(2);
  });

  it('is not repeated where the function failed', async () => {
    answers = [
      (response) => response.setHeader('x-amz-function-error', 'Unhandled').end('{"errorMessage":"no"}'),
    ];
    await expect(ask()).rejects.toThrow('fill failed: Unhandled: {"errorMessage":"no"}');
    expect(paths).toHaveLength(1);
  });
});

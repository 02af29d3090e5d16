import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { invoke } from '../../../../functions/fill-client/lambda-invocations.ts';
import { type Listening, listen } from '../../../support/listen.ts';

type Respond = (response: ServerResponse) => void;

const VARIABLES = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_REGION: 'eu-west-1' };
const before = new Map<string, string | undefined>();
let lambda: Listening;
/** The answers that are still to come, and the paths of the requests so far. */
let answers: Respond[];
let paths: string[];

beforeEach(async () => {
  [answers, paths] = [[], []];
  const server = createServer((request, response) => {
    paths.push(String(request.url));
    const respond = answers.shift() ?? ((each) => each.writeHead(500).end());
    respond(response);
  });
  lambda = await listen(server);
  for (const [name, value] of Object.entries({
    ...VARIABLES,
    AWS_ENDPOINT_URL_LAMBDA: `${lambda.url}/own`,
  })) {
    before.set(name, process.env[name]);
    process.env[name] = value;
  }
});

afterEach(async () => {
  await lambda.stop();
  for (const [name, value] of before) {
    if (value === undefined) {
      delete process.env[name];
    } else {
      process.env[name] = value;
    }
  }
});

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

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ENTRY_POINT_METADATA } from '../../../infra/function-names.ts';
import { type Definition, readDefinition } from '../../../infra/local/definition.ts';
import { type FrontDoor, openFrontDoor } from '../../../infra/local/front-door.ts';
import type { Physical } from '../../../infra/local/intrinsics.ts';
import type { ResponseStream } from '../../../infra/local/response-streaming.ts';
import type { Template } from '../../../infra/local/template.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { synthesized } from './synthesized.ts';

type Invoke = (name: string, event: { path: string }, stream?: ResponseStream) => Promise<unknown>;

let definition: Definition;
let door: FrontDoor;

beforeAll(async () => {
  const template = await synthesized();
  definition = readDefinition(template, physical(template));
}, 60_000);

afterEach(() => door.stop());

/** Every resource under some name, as if it existed. */
function physical(template: Template): ReadonlyMap<string, Physical> {
  const parameters = ['AWS::Partition', 'AWS::Region', 'AWS::AccountId', 'AWS::StackId'];
  const ids = [...Object.keys(template.Resources), ...parameters];
  return new Map(
    ids.map((id) => {
      const named = id === 'AWS::StackId' ? 'arn:x:stack/Winnow/uuid' : id;
      const ref = String(template.Resources[id]?.Metadata?.[ENTRY_POINT_METADATA] ?? named);
      return [id, { ref, attributes: { Arn: `arn:x:function:${ref}`, StreamArn: 'arn:aws:dynamodb:x' } }];
    }),
  );
}

async function open(invoke: Invoke, changed: Partial<Definition> = {}): Promise<string> {
  const runtime = { invoke: invoke as never };
  door = await openFrontDoor({
    definition: { ...definition, ...changed },
    runtime,
    logger: silentLogger,
    port: 0,
  });
  return door.url;
}

/** Resolves when the condition holds; rejects after two seconds. */
async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 10) {
    if (waited > 2_000) throw new Error('it did not happen');
    await sleep(10);
  }
}

const status = async (response: Response) => {
  const body = (await response.json()) as { kind: string; code: number; reason: string };
  return [response.status, body.kind, body.code, body.reason];
};

describe('a GET', () => {
  it('goes to read, whose status and headers arrive with the first write, be it empty', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const url = await open(async (name, event, stream) => {
      if (!stream) throw new Error('no stream');
      stream.metadata = { statusCode: 203, headers: { 'content-type': `${name}${event.path}` } };
      stream.write('');
      await released;
      stream.end('late');
    });
    const response = await fetch(`${url}/api`);
    expect([response.status, response.headers.get('content-type')]).toEqual([203, 'read/api']);
    release();
    expect(await response.text()).toBe('late');
  });

  it('that is given up destroys the stream at once', async () => {
    let stream: ResponseStream | undefined;
    const url = await open(async (_name, _event, given) => {
      stream = given;
      given?.write('first');
      await new Promise((resolve) => given?.once('close', resolve));
      throw new Error('the stream was destroyed');
    });
    const controller = new AbortController();
    const response = await fetch(url, { signal: controller.signal });
    expect(response.status).toBe(200);
    expect(stream?.destroyed).toBe(false);
    controller.abort();
    await until(() => stream?.destroyed === true);
  });

  it('whose handler fails before it wrote is a Status 500', async () => {
    const url = await open(() => Promise.reject(new Error('boom')));
    expect(await status(await fetch(url))).toEqual([500, 'Status', 500, 'InternalError']);
  });

  it('whose handler fails after it wrote is cut, not ended', async () => {
    const url = await open(async (_name, _event, stream) => {
      stream?.write('half');
      await sleep(20);
      throw new Error('boom');
    });
    const response = await fetch(url);
    await expect(response.text()).rejects.toThrow();
  });
});

describe('a write', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('by %s goes to write and is answered whole', async (method) => {
    const url = await open(async (name) => ({
      statusCode: 201,
      headers: { 'X-Name': name },
      multiValueHeaders: { Warning: ['a', 'b'] },
      body: '{}',
    }));
    const response = await fetch(url, { method });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-name')).toBe('write');
    expect(response.headers.get('warning')).toBe('a, b');
    expect(await response.text()).toBe('{}');
  });

  it('that throws or answers nonsense is a Status 500', async () => {
    const url = await open(async (_name, { path }) => {
      if (path === '/throw') throw new Error('boom');
      return { body: 'no status' };
    });
    for (const path of ['/throw', '/nonsense']) {
      const response = await fetch(url + path, { method: 'POST' });
      expect(await status(response)).toEqual([500, 'Status', 500, 'InternalError']);
    }
  });

  it('that takes too long is a Status 504', async () => {
    const route = { functionName: 'write' as const, streams: false, authorized: true, timeout: 20 };
    const routes = new Map([['POST', route]]);
    const url = await open(() => new Promise(() => {}), { routes });
    expect(await status(await fetch(url, { method: 'POST' }))).toEqual([504, 'Status', 504, 'Timeout']);
  });

  it('of more than 10 MB never reaches a function', async () => {
    let invoked = false;
    const url = await open(async () => {
      invoked = true;
    });
    const response = await fetch(url, { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect(await status(response)).toEqual([413, 'Status', 413, 'RequestEntityTooLarge']);
    expect(invoked).toBe(false);
  });
});

it('answers a method without a route with 405', async () => {
  const url = await open(async () => ({ statusCode: 200, body: '' }));
  expect(await status(await fetch(url, { method: 'OPTIONS' }))).toEqual([
    405,
    'Status',
    405,
    'MethodNotAllowed',
  ]);
});

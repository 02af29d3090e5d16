import { subscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Definition, readDefinition } from '../../../infra/local/definition.ts';
import { type FrontDoor, openFrontDoor } from '../../../infra/local/front-door.ts';
import type { Physical } from '../../../infra/local/intrinsics.ts';
import type { ResponseStream } from '../../../infra/local/response-streaming.ts';
import type { Template } from '../../../infra/local/template.ts';
import { ENTRY_POINT_METADATA } from '../../../lib/platform/function-names.ts';
import { silentLogger } from '../../../lib/platform/index.ts';
import { eventually } from '../../support/eventually.ts';
import { synthesized } from './synthesized.ts';

type Invoke = (name: string, event: { path: string }, stream?: ResponseStream) => Promise<unknown>;

let definition: Definition;
let door: FrontDoor;
let server: Server | undefined;
/** The errors that the front door logged. */
const problems: string[] = [];

beforeAll(async () => {
  subscribe('http.server.request.start', (message) => {
    server = (message as { server: Server }).server;
  });
  const template = await synthesized();
  definition = readDefinition(template, physical(template));
});

afterEach(async () => {
  await door.stop();
  server = undefined;
  problems.length = 0;
});

/** Physical names for all resources, as if they existed. */
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
    logger: { ...silentLogger, error: (message) => problems.push(message) },
    port: 0,
  });
  return door.url;
}

/** The number of open connections of the front door. 0 before its first request. */
async function connections(): Promise<number> {
  if (server === undefined) return 0;
  return promisify(server.getConnections.bind(server))();
}

async function* lines(count: number): AsyncGenerator<string> {
  for (let line = 0; line < count; line += 1) yield 'x'.repeat(10_000);
}

/** Sends raw bytes. Resolves to the response up to the end of the connection. */
async function sendRaw(url: string, ...bytes: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  for (const some of bytes) socket.write(some);
  return text(socket);
}

const status = async (response: Response) => {
  const body = (await response.json()) as { kind: string; code: number; reason: string };
  return [response.status, body.kind, body.code, body.reason];
};

describe('a GET through the front door', () => {
  it('a GET goes to read, whose status and headers arrive with the first write, even an empty one', async () => {
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

  it('an aborted GET runs to its own end, and its further output is discarded', async () => {
    const { promise: leaving, resolve: left } = Promise.withResolvers<void>();
    let end: unknown;
    const url = await open(async (_name, _event, stream) => {
      if (!stream) throw new Error('no stream');
      stream.write('first');
      await leaving;
      await pipeline(lines(2_000), stream).then(
        () => {
          end = 'its own';
        },
        (error) => {
          end = error;
        },
      );
    });
    const controller = new AbortController();
    const response = await fetch(url, { signal: controller.signal });
    expect(response.status).toBe(200);
    controller.abort();
    await eventually('the connection is gone', async () => (await connections()) === 0);
    left();
    await eventually('the function ends', () => end);
    expect(end).toBe('its own');
    expect(problems).toEqual([]);
  });

  it('a GET ends when the front door stops', async () => {
    let error: unknown;
    const url = await open(async (_name, _event, stream) => {
      if (!stream) throw new Error('no stream');
      stream.write('first');
      const never = new Readable({ read() {} });
      await pipeline(never, stream).catch((caught) => {
        error = caught;
        throw caught;
      });
    });
    const response = await fetch(url);
    await door.stop();
    await eventually('the function ends', () => error);
    await expect(response.text()).rejects.toThrow();
    expect(problems).toEqual([]);
  });

  it('a GET whose handler fails before its first write gets a Status 503', async () => {
    const url = await open(() => Promise.reject(new Error('boom')));
    expect(await status(await fetch(url))).toEqual([503, 'Status', 503, 'ServiceUnavailable']);
  });

  it('a GET whose handler fails after a write is cut off', async () => {
    const url = await open(async (_name, _event, stream) => {
      stream?.write('half');
      await sleep(20);
      throw new Error('boom');
    });
    const response = await fetch(url);
    await expect(response.text()).rejects.toThrow();
  });
});

describe('a write through the front door', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a %s goes to write and is answered whole', async (method) => {
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

  it('a write whose function fails gets a Status 503, which says that the write may have been applied', async () => {
    const url = await open(async (_name, { path }) => {
      if (path === '/throw') throw new Error('boom');
      return { body: 'no status' };
    });
    for (const path of ['/throw', '/nonsense']) {
      const response = await fetch(url + path, { method: 'POST' });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, null]);
      expect(await response.json()).toMatchObject({
        kind: 'Status',
        reason: 'ServiceUnavailable',
        message: expect.stringContaining('the write may have been applied'),
      });
    }
  });

  it('a write that takes too long gets a Status 504', async () => {
    const route = { functionName: 'write' as const, streams: false, authorized: true, timeout: 20 };
    const routes = new Map([['POST', route]]);
    const url = await open(() => new Promise(() => {}), { routes });
    expect(await status(await fetch(url, { method: 'POST' }))).toEqual([504, 'Status', 504, 'Timeout']);
  });

  it('an aborted upload reaches no function and logs no error', async () => {
    let invoked = false;
    const url = await open(async () => {
      invoked = true;
    });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write('POST /api HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"half":');
    await eventually('it is taken', async () => (await connections()) === 1);
    socket.destroy();
    await eventually('the connection is gone', async () => (await connections()) === 0);
    expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(405);
    expect(invoked).toBe(false);
    expect(problems).toEqual([]);
  });

  it('a write of more than 10 MB never reaches a function', async () => {
    let invoked = false;
    const url = await open(async () => {
      invoked = true;
    });
    const response = await fetch(url, { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect(await status(response)).toEqual([413, 'Status', 413, 'RequestEntityTooLarge']);
    expect(invoked).toBe(false);
  });
});

describe('requests that no route accepts', () => {
  const anything = async () => ({ statusCode: 200, body: '' });

  it.each(['OPTIONS', 'PROPFIND', 'TRACE-IT', 'CONNECT'])('the method %s gets Status 405', async (method) => {
    const url = await open(anything);
    const target = method === 'CONNECT' ? 'example.com:443' : '/api';
    const answer = await sendRaw(
      url,
      `${method} ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    );
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code: 405, reason: 'MethodNotAllowed' });
    expect(problems).toEqual([]);
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a version that is none', 'GET /api HTTP/9\r\n\r\n'],
    ['a header without a colon', 'GET /api HTTP/1.1\r\nhost\r\n\r\n'],
    [
      'two lengths',
      'POST /api HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    ],
    [
      'a chunk that is none',
      'POST /api HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    ],
    ['too long a head', `GET /api HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('a request with %s gets a Status 400', async (_what, bytes) => {
    const url = await open(anything);
    const [head = '', body = ''] = (await sendRaw(url, bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code: 400, reason: 'BadRequest' });
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
    expect(problems).toEqual([]);
  });
});

describe('requests that a web page may have sent', () => {
  const REFUSED: readonly (readonly [what: string, head: string, code: number])[] = [
    ['a name that was rebound', 'GET /api HTTP/1.1\r\nHost: evil.example\r\n', 421],
    ['no Host', 'GET /api HTTP/1.1\r\n', 421],
    ['no Host, in HTTP/1.0', 'GET /api HTTP/1.0\r\n', 421],
    ['two Hosts', 'GET /api HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n', 421],
    ['a URL of another host', 'GET http://evil.example/api HTTP/1.1\r\nHost: 127.0.0.1\r\n', 421],
    ['a tunnel', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example:80\r\n', 421],
    [
      'a WebSocket',
      'GET /api HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n',
      403,
    ],
    [
      'the question whether it may',
      'OPTIONS /api HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n',
      403,
    ],
    ['a picture', 'GET /api HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-site\r\n', 403],
    [
      'a form that waits for 100-continue',
      'POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: null\r\nContent-Length: 1\r\nExpect: 100-continue\r\n',
      403,
    ],
  ];

  it.each(REFUSED)('a request with %s reaches no function', async (_what, head, code) => {
    let isAsked = false;
    const url = await open(async () => {
      isAsked = true;
      return { statusCode: 200, body: '' };
    });
    const answered = await sendRaw(url, `${head}Connection: close\r\n\r\n`);
    const [first = '', body = ''] = answered
      .replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
      .split('\r\n\r\n');
    expect(first).toMatch(new RegExp(`^HTTP/1\\.1 ${code} `));
    expect(first).not.toMatch(/access-control/i);
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code });
    expect(isAsked).toBe(false);
    expect(problems).toEqual([]);
  });

  it('a request to an allowed host name is answered', async () => {
    const runtime = { invoke: (async () => ({ statusCode: 200, body: '' })) as never };
    const logger = silentLogger;
    door = await openFrontDoor({ definition, runtime, logger, port: 0, allowedHosts: ['dev.example'] });
    const answered = await sendRaw(
      door.url,
      'POST /api HTTP/1.1\r\nHost: dev.example:9\r\nOrigin: http://dev.example:9\r\nConnection: close\r\n\r\n',
    );
    expect(answered).toMatch(/^HTTP\/1\.1 200 /);
  });
});

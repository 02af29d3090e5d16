import { describe, expect, it } from '@jest/globals';
import {
  judgeRequest,
  readAllowedHosts,
  readAllowedOrigins,
  refusalBody,
} from '../../../infra/loopback-guard/index.ts';

type Headers = readonly (readonly [name: string, value: string])[];

const judge = (headers: Headers, target = '/api/v1/pods', allowedHosts: readonly string[] = []) =>
  judgeRequest({ target, rawHeaders: headers.flat() }, { scheme: 'http', allowedHosts });
const host = (value: string): Headers => [['Host', value]];
const HERE = ['Host', '127.0.0.1:8080'] as const;

describe('the Host of a request', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.1:8080',
    '127.0.0.1:1',
    '127.0.0.1:65535',
    'localhost',
    'localhost:31234',
    'LocalHost:8080',
    '[::1]',
    '[::1]:8080',
  ])('a request with the Host %s is answered', (value) => {
    expect(judge(host(value))).toBeUndefined();
  });

  it.each([
    '',
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    'localhost.evil.example:8080',
    '127.0.0.1.evil.example',
    'evil.example.127.0.0.1.nip.io',
    'localhost.',
    'localhost.:8080',
    '127.0.0.1.:8080',
    'user@127.0.0.1:8080',
    'localhost:8080@evil.example',
    'evil.example#127.0.0.1',
    'localhost/x',
    'localhost:',
    'localhost:80:80',
    'localhost:8080.evil.example',
    'localhost:http',
    '127.0.0.2',
    '127.1',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '::1',
    '[::1%25lo]',
    '[::1%lo0]:8080',
    '[::ffff:127.0.0.1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::1]evil.example',
    '[::1',
    'loсalhost',
    'localhost,evil.example',
    'localhost evil.example',
    'localhost\u0000',
  ])('a request with the Host %j gets 421', (value) => {
    expect(judge(host(value))).toMatchObject({ code: 421, reason: 'MisdirectedRequest' });
  });

  it('a request without a Host gets 421', () => {
    expect(judge([])).toMatchObject({ code: 421, message: expect.stringContaining('no Host header') });
  });

  it('a request with two Hosts gets 421, also if both are allowed', () => {
    const twice: Headers = [HERE, ['host', '127.0.0.1:8080']];
    expect(judge(twice)).toMatchObject({ code: 421, message: expect.stringContaining('2 Host headers') });
    expect(judge([HERE, ['HOST', 'evil.example']])?.code).toBe(421);
  });

  it('X-Forwarded-Host does not replace the Host', () => {
    expect(judge([['X-Forwarded-Host', '127.0.0.1']])?.code).toBe(421);
    expect(judge([HERE, ['X-Forwarded-Host', 'evil.example']])).toBeUndefined();
  });

  it('the Host may be an allowed name in any case and with any port', () => {
    const allowed = readAllowedHosts('dev.example, [fd00::1]');
    expect(judge(host('Dev.Example:9'), '/', allowed)).toBeUndefined();
    expect(judge(host('[fd00::1]:8080'), '/', allowed)).toBeUndefined();
    expect(judge(host('localhost'), '/', allowed)).toBeUndefined();
    expect(judge(host('x.dev.example'), '/', allowed)?.code).toBe(421);
    expect(judge(host('dev.example.evil.example'), '/', allowed)?.code).toBe(421);
  });
});

describe('A request target with a full URL', () => {
  it.each([
    ['http://127.0.0.1:8080/api', undefined],
    ['http://evil.example/api', 421],
    ['HTTP://evil.example', 421],
    ['http://127.0.0.1@evil.example/api', 421],
    ['ws://evil.example/api', 421],
    ['http:///api', 421],
    ['//evil.example/api', undefined],
    ['*', undefined],
  ])('the target %s is judged by its own host: %s', (target, code) => {
    expect(judge([HERE], target)?.code).toBe(code);
  });
});

describe('the Origin of a request', () => {
  it.each([
    ['http://127.0.0.1:8080', undefined],
    ['http://127.0.0.1:3000', 403],
    ['http://127.0.0.1', 403],
    ['https://127.0.0.1:8080', 403],
    ['http://localhost:8080', 403],
    ['http://evil.example', 403],
    ['http://127.0.0.1:8080.evil.example', 403],
    ['http://127.0.0.1:8080/', 403],
    ['null', 403],
    ['', 403],
    ['file://', 403],
    ['chrome-extension://abc', 403],
  ])('the Origin %j with the Host 127.0.0.1:8080: %s', (origin, code) => {
    expect(judge([HERE, ['Origin', origin]])?.code).toBe(code);
  });

  it('the Origin is compared with the Host, ignoring case, and with the scheme of the connection', () => {
    const of = (scheme: 'http' | 'https', origin: string) =>
      judgeRequest(
        { target: '/', rawHeaders: ['Host', 'LOCALHOST:8080', 'Origin', origin] },
        { scheme, allowedHosts: [] },
      )?.code;
    expect(of('http', 'http://localhost:8080')).toBeUndefined();
    expect(of('https', 'https://localhost:8080')).toBeUndefined();
    expect(of('https', 'http://localhost:8080')).toBe(403);
  });

  it('two Origins must both be allowed', () => {
    const own = ['Origin', 'http://127.0.0.1:8080'] as const;
    expect(judge([HERE, own, ['origin', 'http://evil.example']])?.code).toBe(403);
    expect(judge([HERE, ['origin', 'http://evil.example'], own])?.code).toBe(403);
  });
});

describe('the header Sec-Fetch-Site', () => {
  it.each([
    ['same-origin', undefined],
    ['none', undefined],
    ['same-site', 403],
    ['cross-site', 403],
    ['', 403],
    ['none, cross-site', 403],
  ])('the Sec-Fetch-Site %j gives: %s', (site, code) => {
    expect(judge([HERE, ['Sec-Fetch-Site', site]])?.code).toBe(code);
  });
});

describe('a body of a request with an Origin', () => {
  const own = ['Origin', 'http://127.0.0.1:8080'] as const;
  it.each<[what: string, headers: Headers, code: number | undefined]>([
    ['without a type', [['Content-Length', '2']], 415],
    ['without a type, in chunks', [['Transfer-Encoding', 'chunked']], 415],
    [
      'with a type',
      [
        ['content-length', '2'],
        ['content-type', 'application/json'],
      ],
      undefined,
    ],
    ['that is empty', [['Content-Length', '0']], undefined],
    ['that is not there', [], undefined],
  ])('a body %s is judged', (_what, headers, code) => {
    expect(judge([HERE, own, ...headers])?.code).toBe(code);
  });

  it('a body needs no content type without an Origin', () => {
    expect(judge([HERE, ['Content-Length', '2']])).toBeUndefined();
  });
});

describe('the refusal of a request', () => {
  it('a refusal is a Status with the fault, the value and the remedy', () => {
    const refusal = judge(host('evil.example'));
    expect(JSON.parse(refusalBody(refusal as never))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'the Host "evil.example" is not allowed: use 127.0.0.1, localhost or [::1], or start the server with --allowed-hosts',
      reason: 'MisdirectedRequest',
      code: 421,
    });
  });

  it('a refusal quotes at most 100 characters of the value', () => {
    expect(judge(host('x'.repeat(10_000)))?.message.length).toBeLessThan(300);
  });
});

describe('the option --allowed-hosts', () => {
  it.each([
    'dev.example:80',
    'http://dev.example',
    '*.example',
    '',
    'a,,b',
    'dev.example.',
    'a b',
    'a/b',
    '::1',
  ])('--allowed-hosts=%j is refused with a clear message', (text) => {
    expect(() => readAllowedHosts(text)).toThrow('is not a host name');
  });
});

describe('the option --allowed-origins', () => {
  it('a page of an allowed origin may send requests, and a page of another may not', () => {
    const allowedOrigins = readAllowedOrigins('http://localhost:4466, https://dash.example');
    const from = (origin: string) =>
      judgeRequest(
        { target: '/', rawHeaders: ['Host', '127.0.0.1:8001', 'Origin', origin] },
        { scheme: 'http', allowedOrigins },
      )?.code;
    expect(from('http://localhost:4466')).toBeUndefined();
    expect(from('https://dash.example')).toBeUndefined();
    expect(from('http://localhost:4467')).toBe(403);
    expect(from('http://dash.example')).toBe(403);
    expect(from('null')).toBe(403);
  });

  it.each([
    '',
    'localhost',
    'localhost:4466',
    'null',
    '*',
    'file:///a',
    'http://a/b',
    'http://u@a',
    'http://a:80',
  ])('the value %j is refused', (text) => {
    expect(() => readAllowedOrigins(text)).toThrow('is not an origin');
  });
});

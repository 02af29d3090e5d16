import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Case, doctor, type Examined, examineCase } from '../../support/service/doctor.ts';
import { type Run, winnow } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { startTamperingProxy } from '../../support/service/tampering-proxy.ts';

let service: Service;

/** The results of the cases. They and the program run at once, because they mostly wait for namespace deletions. */
const examined = new Map<Case, Examined>();
let program: Run;

beforeAll(async () => {
  service = await startService({ retryDelay: 200 });
  const { url } = service.winnow;
  [program] = await Promise.all([
    winnow('doctor', '--url', url),
    ...[WORKING, INTERRUPTED, LEAVING_OUT].map(async (one) => examined.set(one, await examineCase(url, one))),
  ]);
});

afterAll(() => service.stop());

const status = (code: number, reason: string) => ({
  status: code,
  body: JSON.stringify({ kind: 'Status', code, reason, message: reason }),
});

const STEPS = [
  'reach the endpoint',
  'log in',
  'discovery',
  'create a namespace',
  'write objects with labels',
  'LIST by selector',
  'WATCH by selector',
  'subscribe',
  'deliver to the queue',
  'clean up',
];

const WORKING: Case = { what: 'nothing', wrong: {} };

const INTERRUPTED: Case = {
  what: 'the user stops it while it watches',
  when: /watch=true/,
  tampering: () => 'silence',
  interruptAt: /watched$/,
  wrong: {},
};

const LEAVING_OUT: Case = {
  what: 'a list that leaves out a match',
  when: /configmaps\?labelSelector=color%3Dred/,
  tampering: () => (answer) => {
    const list = JSON.parse(answer);
    return JSON.stringify({ ...list, items: list.items.slice(1) });
  },
  wrong: {
    'LIST by selector': expect.stringMatching(
      /^the selector 'color=red' returned red-small; in winnow-doctor-\w+ it selects red-large, red-small$/,
    ),
  },
};

describe('winnow doctor on a server that is not Winnow', () => {
  it.each([
    ['a web server', { status: 200, body: '<html>' }, /it is not Winnow \(GET \/version: 200 <html>\)/],
    ['a web server without such a page', { status: 404, body: 'no' }, /it is not Winnow/],
    ['an API Gateway without the stage', { status: 403, body: '{"message":"Forbidden"}' }, /not Winnow/],
    [
      'a Kubernetes cluster',
      { status: 200, body: '{"gitVersion":"v1.34.1"}' },
      /a Kubernetes API, v1\.34\.1, not/,
    ],
    ['one that asks for a login', status(401, 'Unauthorized'), undefined],
    ['one that fails', status(500, 'InternalError'), /the endpoint failed .*500 InternalError/],
    ['a gateway that fails', { status: 502, body: 'Bad Gateway' }, /the endpoint failed .*502 Bad Gateway/],
    ['one that is asked too much', status(429, 'TooManyRequests'), /more requests than it can serve .*429/],
  ])('winnow doctor recognizes %s and writes nothing', async (_what, answer, says) => {
    const stranger = await startTamperingProxy();
    stranger.tamper = () => answer;
    const { results, wrong } = await doctor(stranger.url);
    if (says !== undefined) {
      expect(wrong).toEqual({ 'reach the endpoint': expect.stringMatching(says) });
    } else {
      expect(wrong).toEqual({ 'log in': 'the endpoint requires a login, and the command has none' });
    }
    expect(results.at(-1)).toBe('clean up: not checked');
    expect(stranger.requests.filter((one) => !one.startsWith('GET '))).toEqual([]);
    await stranger.stop();
  });

  it('winnow doctor reports that nothing listens', async () => {
    const gone = await startTamperingProxy();
    await gone.stop();
    const { wrong } = await doctor(gone.url);
    expect(wrong).toEqual({ 'reach the endpoint': `nothing listens at ${new URL(gone.url).host}` });
  });
});

describe('the program winnow doctor', () => {
  it('winnow doctor exits with 0 and shows every step if all is well', () => {
    const { code, out, errors } = program;
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    for (const step of STEPS) expect(out).toMatch(new RegExp(`^  ${step} +\\d+\\.\\d s  ok  `, 'm'));
    expect(out).toMatch(/^ {2}Every check succeeded\.\n$/m);
  });

  it('winnow doctor exits with 1 on a fault, and gives a remedy and a link', async () => {
    const failing = await startTamperingProxy();
    failing.tamper = () => status(500, 'InternalError');
    const { code, out } = await winnow('doctor', '--url', failing.url);
    await failing.stop();
    expect(code).toBe(1);
    expect(out).toMatch(/^ {2}reach the endpoint +\d+\.\d s {2}wrong +the endpoint failed/m);
    expect(out).toMatch(/^ {2}clean up +0\.0 s {2}not checked {2}nothing was created$/m);
    expect(out).toContain("Find the error in the function's log");
    expect(out).toContain('See docs/runbook.md#look\n');
    expect(out).toMatch(/^ {2}Wrong: reach the endpoint\. Not checked: log in, .*, clean up\.\n$/m);
  });
});

describe('winnow doctor on a working Winnow', () => {
  it('winnow doctor passes every check', () => {
    const { results, outcomes } = examined.get(WORKING) ?? { results: [], outcomes: [] };
    expect(results).toEqual(STEPS.map((step) => `${step}: ok`));
    expect(outcomes.at(-2)?.note).toMatch(/^5 messages: entered, changed, left/);
  });

  it('winnow doctor writes only in one new namespace', () => {
    const { requests = [] } = examined.get(WORKING) ?? {};
    const written = requests.filter((one) => !one.startsWith('GET '));
    expect(written.length).toBeGreaterThan(10);
    const elsewhere = written.filter((one) => !/\/namespaces\/winnow-doctor-[0-9a-f]{12}(\/|$)/.test(one));
    expect(elsewhere).toEqual(['POST /api/v1/namespaces']);
  });

  it('winnow doctor cleans up when it is interrupted', () => {
    expect(examined.get(INTERRUPTED)?.results.slice(-4)).toEqual([
      'WATCH by selector: not checked',
      'subscribe: not checked',
      'deliver to the queue: not checked',
      'clean up: ok',
    ]);
  });

  it('winnow doctor leaves no objects behind', async () => {
    expect(await service.http.names('/api/v1/namespaces')).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    expect(await service.http.names('/apis/winnow.dev/v1/subscriptions')).toEqual([]);
  });
});

it('winnow doctor finds a list that misses a match', () => {
  expect(examined.get(LEAVING_OUT)?.wrong).toEqual(LEAVING_OUT.wrong);
  expect(examined.get(LEAVING_OUT)?.results.at(-1)).toBe('clean up: ok');
});

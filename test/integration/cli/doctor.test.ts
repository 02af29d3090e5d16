import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openAccess } from '../../../cli/connection/open-access.ts';
import type { Patience, Step } from '../../../cli/doctor/examination.ts';
import { type ExamineOptions, examine, type Outcome } from '../../../cli/doctor/examine.ts';
import { ALL_STEPS } from '../../../cli/doctor/steps/all-steps.ts';
import type { FunctionName } from '../../../infra/function-names.ts';
import { type Run as CliRun, winnow } from '../../support/service/run-cli.ts';
import { type Service, startService } from '../../support/service/service.ts';
import {
  startTamperingProxy,
  type Tampering,
  type TamperingProxy,
} from '../../support/service/tampering-proxy.ts';

const silent = { begin: () => {}, end: () => {} };
const refuse = new Set<FunctionName>();

let service: Service;
let proxy: TamperingProxy;

beforeAll(async () => {
  const beforeInvoke = async (name: FunctionName) => {
    if (refuse.has(name)) throw new Error('a provoked crash');
  };
  service = await startService({ fault: { beforeInvoke }, retryDelay: 200 });
  proxy = await startTamperingProxy(service.winnow.url);
});

afterAll(async () => {
  await proxy.stop();
  await service.stop();
});

afterEach(() => {
  proxy.tamper = () => undefined;
  refuse.clear();
});

interface Run {
  readonly outcomes: readonly Outcome[];
  /** `step: result` of all. */
  readonly results: readonly string[];
  /** What is wrong, by step. */
  readonly wrong: Readonly<Record<string, string>>;
}

async function doctor(url: string, options: Partial<ExamineOptions> = {}): Promise<Run> {
  const outcomes = await examine({
    access: openAccess({ url }),
    listener: silent,
    interrupted: new AbortController().signal,
    ...options,
  });
  const faults = outcomes.filter(({ result }) => result === 'wrong');
  return {
    outcomes,
    results: outcomes.map(({ step, result }) => `${step}: ${result}`),
    wrong: Object.fromEntries(faults.map(({ step, note }) => [step, note])),
  };
}

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

describe('what is no Winnow is named, and not written to', () => {
  it.each([
    ['a web server', { status: 200, body: '<html>' }, /it is not Winnow \(GET \/version: 200 <html>\)/],
    ['a web server without such a page', { status: 404, body: 'no' }, /it is not Winnow/],
    ['an API Gateway without the stage', { status: 403, body: '{"message":"Forbidden"}' }, /not Winnow/],
    [
      'a Kubernetes cluster',
      { status: 200, body: '{"gitVersion":"v1.34.1"}' },
      /a Kubernetes API, v1\.34\.1, and not/,
    ],
    ['one that asks for a login', status(401, 'Unauthorized'), undefined],
    ['one that fails', status(500, 'InternalError'), /the endpoint fails .*500 InternalError/],
    ['a gateway that fails', { status: 502, body: 'Bad Gateway' }, /the endpoint fails .*502 Bad Gateway/],
    ['one that is asked too much', status(429, 'TooManyRequests'), /more than it can take .*429/],
  ])('%s', async (_what, answer, says) => {
    const stranger = await startTamperingProxy();
    stranger.tamper = () => answer;
    const { results, wrong } = await doctor(stranger.url);
    if (says !== undefined) {
      expect(wrong).toEqual({ 'reach the endpoint': expect.stringMatching(says) });
    } else {
      expect(wrong).toEqual({ 'log in': 'the endpoint asks for a login, and there is none' });
    }
    expect(results.at(-1)).toBe('clean up: not checked');
    expect(stranger.requests.filter((one) => !one.startsWith('GET '))).toEqual([]);
    await stranger.stop();
  });

  it('nothing that listens', async () => {
    const gone = await startTamperingProxy();
    await gone.stop();
    const { wrong } = await doctor(gone.url);
    expect(wrong).toEqual({ 'reach the endpoint': `nothing listens at ${new URL(gone.url).host}` });
  });
});

/** One thing that goes wrong on the way, and what has to be said of it. */
interface Case {
  readonly what: string;
  readonly when?: RegExp;
  readonly tampering?: () => Tampering;
  readonly patience?: Partial<Patience>;
  /** The user stops it at this request. */
  readonly interruptAt?: RegExp;
  readonly wrong: Readonly<Record<string, unknown>>;
}

const WORKING: Case = { what: 'nothing', wrong: {} };

const INTERRUPTED: Case = {
  what: 'the user stops it while it watches',
  when: /watch=true/,
  tampering: () => 'silence',
  interruptAt: /watched$/,
  wrong: {},
};

const changeList =
  (change: (list: { items: unknown[]; metadata: object }) => object): (() => Tampering) =>
  () =>
  (answer) =>
    JSON.stringify(change(JSON.parse(answer)));

let page = 0;

const CASES: readonly Case[] = [
  {
    what: 'a list that leaves out a match',
    when: /configmaps\?labelSelector=color%3Dred/,
    tampering: changeList((list) => ({ ...list, items: list.items.slice(1) })),
    wrong: {
      'LIST by selector': expect.stringMatching(
        /^the selector 'color=red' gave red-small; in winnow-doctor-\w+ it selects red-large, red-small$/,
      ),
    },
  },
  {
    what: 'a list whose pages are of different states',
    when: /configmaps\?labelSelector/,
    tampering: changeList((list) => {
      page += 1;
      return { ...list, metadata: { ...list.metadata, resourceVersion: String(page) } };
    }),
    wrong: { 'LIST by selector': expect.stringContaining('are of different states: 1, 2, 3') },
  },
  {
    what: 'a watch that is silent',
    when: /watch=true/,
    tampering: () => 'silence',
    patience: { watch: 300 },
    wrong: { 'WATCH by selector': 'an object entered the set, and within 0.3 s no ADDED came on a watch' },
  },
  {
    what: 'a watch that does not tell that something left',
    when: /watch=true/,
    tampering: () => (line) => (line.startsWith('{"type":"DELETED"') ? '' : line),
    patience: { watch: 5_000 },
    wrong: { 'WATCH by selector': 'an object left the set, and within 5 s no DELETED came on a watch' },
  },
  {
    what: 'a watch that tells that it changed instead',
    when: /watch=true/,
    tampering: () => (line) => line.replace('{"type":"DELETED"', '{"type":"MODIFIED"'),
    wrong: {
      'WATCH by selector': 'an object left the set, and MODIFIED watched was told instead of DELETED watched',
    },
  },
  {
    what: 'labels that are lost on the way',
    when: /POST .*configmaps/,
    tampering: () => (answer) => answer.replace('"color":"blue",', ''),
    wrong: { 'write objects with labels': expect.stringContaining('and has {"size":"large"}') },
  },
  {
    what: 'a write that is refused',
    when: /POST .*configmaps/,
    tampering: () => status(403, 'Forbidden'),
    wrong: { 'write objects with labels': expect.stringMatching(/known, and not let in/) },
  },
  {
    what: 'messages that only the schedule brings',
    patience: { late: 0 },
    wrong: { 'deliver to the queue': expect.stringMatching(/only the schedule brings it/) },
  },
];

interface Examined extends Run {
  readonly requests: readonly string[];
}

/** Those that the others need, and the one that has to find something wrong. */
function stepsFor({ wrong }: Case): readonly Step[] {
  const found = Object.keys(wrong);
  return found.length === 0
    ? ALL_STEPS
    : ALL_STEPS.filter(({ name, required }) => required === true || found.includes(name));
}

/** Through a proxy of its own. */
async function examineCase(one: Case): Promise<Examined> {
  const { when, tampering, patience, interruptAt } = one;
  const own = await startTamperingProxy(service.winnow.url);
  own.tamper = (method, path) => (when?.test(`${method} ${path}`) ? tampering?.() : undefined);
  const interrupted = new AbortController();
  const running = doctor(own.url, { patience, steps: stepsFor(one), interrupted: interrupted.signal });
  if (interruptAt !== undefined) {
    await own.next(interruptAt);
    interrupted.abort(new Error('interrupted'));
  }
  const run = { ...(await running), requests: own.requests };
  await own.stop();
  return run;
}

/** All at once, and the program with them: most of the time they wait for namespaces to end. */
const examined = new Map<Case, Examined>();
let program: CliRun;

beforeAll(async () => {
  const all = [WORKING, INTERRUPTED, ...CASES];
  [program] = await Promise.all([
    winnow('doctor', '--url', service.winnow.url),
    ...all.map(async (one) => examined.set(one, await examineCase(one))),
  ]);
});

describe('winnow doctor, the program', () => {
  it('ends with 0 where all is right, and shows every step', () => {
    const { code, out, errors } = program;
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    for (const step of STEPS) expect(out).toMatch(new RegExp(`^  ${step} +\\d+\\.\\d s  ok  `, 'm'));
    expect(out).toMatch(/^ {2}All that was checked is right\.\n$/m);
  });

  it('ends with 1 where something is wrong, and says what to do and where to read on', async () => {
    const failing = await startTamperingProxy();
    failing.tamper = () => status(500, 'InternalError');
    const { code, out } = await winnow('doctor', '--url', failing.url);
    await failing.stop();
    expect(code).toBe(1);
    expect(out).toMatch(/^ {2}reach the endpoint +\d+\.\d s {2}wrong +the endpoint fails/m);
    expect(out).toMatch(/^ {2}clean up +0\.0 s {2}not checked {2}nothing was made$/m);
    expect(out).toContain("Find the error in the function's log");
    expect(out).toContain('See docs/runbook.md#look\n');
    expect(out).toMatch(/^ {2}Wrong: reach the endpoint\. Not checked: log in, .*, clean up\.\n$/m);
  });
});

describe('a Winnow that works', () => {
  it('is found right in everything', () => {
    const { results, outcomes } = examined.get(WORKING) ?? { results: [], outcomes: [] };
    expect(results).toEqual(STEPS.map((step) => `${step}: ok`));
    expect(outcomes.at(-2)?.note).toMatch(/^5 messages: entered, changed, left/);
  });

  it('is written to in one new namespace only', () => {
    const { requests = [] } = examined.get(WORKING) ?? {};
    const written = requests.filter((one) => !one.startsWith('GET '));
    expect(written.length).toBeGreaterThan(10);
    const elsewhere = written.filter((one) => !/\/namespaces\/winnow-doctor-[0-9a-f]{12}(\/|$)/.test(one));
    expect(elsewhere).toEqual(['POST /api/v1/namespaces']);
  });

  it('is cleaned up when the examination is interrupted', () => {
    expect(examined.get(INTERRUPTED)?.results.slice(-4)).toEqual([
      'WATCH by selector: not checked',
      'subscribe: not checked',
      'deliver to the queue: not checked',
      'clean up: ok',
    ]);
  });

  it('has nothing left of any examination', async () => {
    expect(await service.http.names('/api/v1/namespaces')).toEqual([
      'default',
      'kube-node-lease',
      'kube-public',
      'kube-system',
    ]);
    expect(await service.http.names('/apis/winnow.dev/v1/subscriptions')).toEqual([]);
  });
});

describe('a Winnow of which one thing is broken', () => {
  it.each(CASES)('$what', (one) => {
    expect(examined.get(one)?.wrong).toEqual(one.wrong);
    expect(examined.get(one)?.results.at(-1)).toBe('clean up: ok');
  });

  it('a dispatch that is stopped', async () => {
    proxy.tamper = (method, path) => {
      if (path.endsWith('/configmaps/subscribed')) refuse.add('dispatch');
      return method === 'DELETE' ? void refuse.clear() : undefined;
    };
    const { wrong, outcomes } = await doctor(proxy.url, { patience: { delivery: 2_000 } });
    expect(wrong).toEqual({
      'deliver to the queue': expect.stringMatching(
        /^an object .* the set, and within 2 s no \w+ came on the queue: changes are not dispatched$/,
      ),
    });
    expect(outcomes.at(-2)?.fault?.runbook).toBe('messages-in-eventsdeadletters');
  });

  it('a reconcile that is stopped: what is left is named', async () => {
    refuse.add('reconcile');
    const { wrong, results } = await doctor(proxy.url, {
      patience: { subscription: 1_000, removal: 1_000 },
    });
    expect(wrong).toEqual({
      subscribe: 'the subscription is Pending after 1 s, and not Synced',
      'clean up': expect.stringMatching(/^(winnow-doctor-\w+) may be left: .* still there after 1 s$/),
    });
    expect(results).toContain('deliver to the queue: not checked');
  });
});

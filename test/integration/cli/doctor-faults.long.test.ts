import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { FunctionName } from '../../../lib/platform/function-names.ts';
import { type Case, doctor, type Examined, examineCase } from '../../support/service/doctor.ts';
import { type Service, startService } from '../../support/service/service.ts';
import {
  startTamperingProxy,
  type Tampering,
  type TamperingProxy,
} from '../../support/service/tampering-proxy.ts';

const refuse = new Set<FunctionName>();

let service: Service;
let proxy: TamperingProxy;

/** The results of the cases. All run at once, because most of the time they wait for namespaces to be deleted. */
const examined = new Map<Case, Examined>();

beforeAll(async () => {
  const beforeInvoke = async (name: FunctionName) => {
    if (refuse.has(name)) throw new Error('a provoked crash');
  };
  service = await startService({ fault: { beforeInvoke }, retryDelay: 200 });
  const { url } = service.winnow;
  proxy = await startTamperingProxy(url);
  await Promise.all(CASES.map(async (one) => examined.set(one, await examineCase(url, one))));
});

afterAll(async () => {
  await proxy.stop();
  await service.stop();
});

afterEach(() => {
  proxy.tamper = () => undefined;
  refuse.clear();
});

const status = (code: number, reason: string) => ({
  status: code,
  body: JSON.stringify({ kind: 'Status', code, reason, message: reason }),
});

const changeList =
  (change: (list: { items: unknown[]; metadata: object }) => object): (() => Tampering) =>
  () =>
  (answer) =>
    JSON.stringify(change(JSON.parse(answer)));

let page = 0;

const CASES: readonly Case[] = [
  {
    what: 'a list whose pages are of different states',
    when: /configmaps\?labelSelector/,
    tampering: changeList((list) => {
      page += 1;
      return { ...list, metadata: { ...list.metadata, resourceVersion: String(page) } };
    }),
    wrong: { 'LIST by selector': expect.stringContaining('have different resourceVersions: 1, 2, 3') },
  },
  {
    what: 'a watch that is silent',
    when: /watch=true/,
    tampering: () => 'silence',
    patience: { watch: 300 },
    wrong: { 'WATCH by selector': 'an object entered the set, but the watch received no ADDED within 0.3 s' },
  },
  {
    what: 'a watch that does not tell that something left',
    when: /watch=true/,
    tampering: () => (line) => (line.startsWith('{"type":"DELETED"') ? '' : line),
    patience: { watch: 5_000 },
    wrong: { 'WATCH by selector': 'an object left the set, but the watch received no DELETED within 5 s' },
  },
  {
    what: 'a watch that tells that it changed instead',
    when: /watch=true/,
    tampering: () => (line) => line.replace('{"type":"DELETED"', '{"type":"MODIFIED"'),
    wrong: {
      'WATCH by selector':
        'an object left the set: expected DELETED watched, but the consumer received MODIFIED watched',
    },
  },
  {
    what: 'labels that are lost on the way',
    when: /POST .*configmaps/,
    tampering: () => (answer) => answer.replace('"color":"blue",', ''),
    wrong: { 'write objects with labels': expect.stringContaining('but has {"size":"large"}') },
  },
  {
    what: 'a write that is refused',
    when: /POST .*configmaps/,
    tampering: () => status(403, 'Forbidden'),
    wrong: {
      'write objects with labels': expect.stringMatching(
        /^the login does not have the permission for this request/,
      ),
    },
  },
  {
    what: 'a login that is nobody here',
    when: /POST .*configmaps/,
    tampering: () => status(403, '"arn:aws:iam::111122223333:user/jane" may not log in to this deployment'),
    wrong: {
      'write objects with labels': expect.stringMatching(
        /^the login is valid, but this deployment does not let it in/,
      ),
    },
  },
  {
    what: 'messages that only the schedule brings',
    patience: { late: 0 },
    wrong: {
      'deliver to the queue': expect.stringMatching(/only from the schedule, which runs once a minute/),
    },
  },
];

describe('winnow doctor on a Winnow with one fault', () => {
  it.each(CASES)('winnow doctor finds $what', (one) => {
    expect(examined.get(one)?.wrong).toEqual(one.wrong);
    expect(examined.get(one)?.results.at(-1)).toBe('clean up: ok');
  });

  it('winnow doctor finds a stopped dispatch', async () => {
    proxy.tamper = (method, path) => {
      if (path.endsWith('/configmaps/subscribed')) refuse.add('dispatch');
      return method === 'DELETE' ? void refuse.clear() : undefined;
    };
    const { wrong, outcomes } = await doctor(proxy.url, { patience: { delivery: 2_000 } });
    expect(wrong).toEqual({
      'deliver to the queue': expect.stringMatching(
        /^an object .* the set, but the queue received no \w+ within 2 s: Winnow does not dispatch changes$/,
      ),
    });
    expect(outcomes.at(-2)?.fault?.runbook).toBe('messages-that-were-set-aside');
  });

  it('winnow doctor finds a stopped reconcile and names the objects that it left', async () => {
    refuse.add('reconcile');
    const { wrong, results } = await doctor(proxy.url, {
      patience: { subscription: 1_000, removal: 1_000 },
    });
    expect(wrong).toEqual({
      subscribe: 'the subscription is Pending after 1 s, not Synced',
      'clean up': expect.stringMatching(
        /^(winnow-doctor-\w+) may still exist: .* still exists 1 s after its deletion$/,
      ),
    });
    expect(results).toContain('deliver to the queue: not checked');
  });
});

import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type JsonObject, metadataOf } from '../../../lib/json/index.ts';
import { readAuthorLife } from '../../../lib/platform/index.ts';
import type { UserInfo } from '../../../lib/server/index.ts';
import { journalKey, seenKey } from '../../../lib/store/keys.ts';
import { describeEvent } from '../../support/service/consumer.ts';
import { createMemoryApi, type MemoryApi } from '../../support/service/memory-api.ts';

const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
const TALLIES = '/apis/winnow.dev/v1/namespaces/default/tallies';
const MAPS = '/api/v1/namespaces/default/configmaps';
const JANE: UserInfo = { username: 'jane', groups: ['readers', 'system:authenticated'] };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let api: MemoryApi;

async function begin(authorNotSeenAfter: string) {
  api = await createMemoryApi(1, undefined, { authorLife: readAuthorLife(authorNotSeenAfter) });
  await api.memory.world.put('/default', {}, {}, 'core/namespaces');
  const rule = (apiGroups: string[], resources: string[], verbs: string[]) => ({
    apiGroups,
    resources,
    verbs,
  });
  const own = ['subscriptions', 'tallies'];
  await role('writing', rule(['winnow.dev'], own, ['*']));
  await role('seeing', rule([''], ['configmaps'], ['*']));
  await bind('writing', { kind: 'User', name: 'jane' });
  await bind('seeing', { kind: 'Group', name: 'readers' });
}

const role = (name: string, ...rules: JsonObject[]) => api.ask('POST', ROLES, { metadata: { name }, rules });

const bind = (name: string, subject: JsonObject) =>
  api.ask('POST', BINDINGS, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [subject],
  });

const mine: JsonObject = {
  metadata: { name: 'mine' },
  spec: { resource: { resource: 'configmaps' }, start: 'snapshot' },
};

const put = (name: string) => api.ask('POST', MAPS, { metadata: { name } });

async function told(minutes = 2) {
  await api.memory.minutes(minutes);
  const consumer = await api.memory.world.consume('mine');
  return consumer.events.splice(0).map((event) => describeEvent(event).replace(/@.*/, ''));
}

async function conditionOf(type: string, path = SUBSCRIPTIONS) {
  const { status } = await api.ask('GET', `${path}/mine`);
  return ((status as JsonObject).conditions as JsonObject[]).find((one) => one.type === type);
}

/** Advances the clock by `time`, in which only the tick runs. */
async function pass(time: number) {
  api.memory.clock.advance(time);
  await api.memory.minutes(2);
}

const seeJane = (groups = JANE.groups) => api.as({ ...JANE, groups }).send('GET', MAPS);

const events = async (reason: string) => {
  const { items } = await api.ask('GET', '/api/v1/namespaces/default/events');
  return (items as JsonObject[]).filter((event) => event.reason === reason);
};

describe('a Subscription whose author is not seen any more', () => {
  it('a Subscription warns from the beginning that it depends on its user', async () => {
    await begin('30d');
    const { headers } = await api.as(JANE).send('POST', SUBSCRIPTIONS, mine);
    expect(headers.warning).toContain('stops 30 days after the last request of that user');
    await told();
    expect(await conditionOf('AuthorExpires')).toMatchObject({
      status: 'False',
      reason: 'WrittenByUser',
      message: expect.stringContaining(
        'written by user "jane": delivery stops 30 days after Winnow last saw that user',
      ),
    });
  });

  it('a condition and an Event announce the stop seven days ahead, and delivery stops at that date', async () => {
    await begin('30d');
    const began = api.memory.clock.now();
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, mine);
    await put('a');
    await told();
    await pass(22 * DAY);
    expect(await conditionOf('AuthorExpires')).toMatchObject({ status: 'False' });
    await pass(DAY);
    const date = new Date(began + 30 * DAY).toISOString().slice(0, 16);
    expect(await conditionOf('AuthorExpires')).toMatchObject({
      status: 'True',
      reason: 'AuthorExpires',
      message: expect.stringContaining(`delivery stops at ${date}`),
    });
    expect(await events('AuthorExpires')).toMatchObject([
      { type: 'Warning', message: expect.stringContaining(date) },
    ]);
    await put('b');
    expect(await told()).toEqual(['ADDED default/b']);
    await pass(7 * DAY);
    expect(await conditionOf('Authorized')).toMatchObject({ status: 'False', reason: 'AuthorNotSeen' });
    expect(await events('AuthorNotSeen')).toMatchObject([{ type: 'Warning' }]);
    expect((await api.ask('GET', `${SUBSCRIPTIONS}/mine`)).status).toMatchObject({ phase: 'Suspended' });
    await put('c');
    expect(await told(5)).toEqual([]);
  });

  it('delivery stops at the exact time, even before the next tick', async () => {
    await begin('30d');
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, mine);
    await told();
    api.memory.clock.advance(31 * DAY);
    await put('late');
    await api.memory.pump();
    expect(await told(1)).toEqual([]);
  });

  it('delivery continues without loss after the next request of the user, if the journal reaches back', async () => {
    await begin('2h');
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, mine);
    await put('a');
    expect(await told()).toEqual(['ADDED default/a', 'BOOKMARK']);
    await pass(130 * MINUTE);
    await put('b');
    await api.ask('DELETE', `${MAPS}/a`);
    expect(await told()).toEqual([]);
    await seeJane();
    expect(await told()).toEqual(['ADDED default/b', 'DELETED default/a']);
    expect(await conditionOf('Authorized')).toBeUndefined();
    expect(await events('Resumed')).toHaveLength(1);
    await put('c');
    expect(await told()).toEqual(['ADDED default/c']);
  });

  it('delivery restarts with a snapshot after the next request, if the journal no longer reaches back', async () => {
    await begin('2h');
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, mine);
    await put('a');
    await told();
    await pass(130 * MINUTE);
    const b = await put('b');
    await pass(2 * DAY);
    await put('c');
    await told(20);
    const { world } = api.memory;
    // The row of the change has expired, and the process caches nothing of the journal.
    await world.table.delete(journalKey('core/configmaps', Number(metadataOf(b).resourceVersion)));
    world.reconciler = world.newReconciler();
    await seeJane();
    expect(await told()).toEqual([
      'ERROR',
      'ADDED default/a',
      'ADDED default/b',
      'ADDED default/c',
      'BOOKMARK',
    ]);
  });

  it('a snapshot during which the time ends is not sent', async () => {
    await begin('2h');
    await put('a');
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, mine);
    const { table } = api.memory.world;
    const { query } = table;
    let isOver = false;
    table.query = async (request, signal) => {
      if (!isOver && request.partition === 'object#core/configmaps') {
        isOver = true;
        api.memory.clock.advance(130 * MINUTE);
      }
      return query(request, signal);
    };
    // The tick records when the user was seen, because no other process did.
    expect(await told(3)).toEqual([]);
    expect(isOver).toBe(true);
    await seeJane();
    expect(await told()).toEqual(['ADDED default/a', 'BOOKMARK']);
  });

  it('delivery continues while the user sends any requests', async () => {
    await begin('2h');
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, mine);
    await told();
    for (let hour = 0; hour < 4; hour += 1) {
      await pass(60 * MINUTE);
      await seeJane();
    }
    await put('a');
    expect(await told()).toEqual(['ADDED default/a']);
  });

  it('delivery uses the groups that were seen last, which an impersonated request never changes', async () => {
    await begin('30d');
    await api.as(JANE).ask('POST', SUBSCRIPTIONS, mine);
    await told();
    await seeJane(['system:authenticated']);
    await put('a');
    expect(await told()).toEqual(['ERROR', 'BOOKMARK']);
    const admin = { username: 'admin', groups: ['system:masters'] };
    const impersonation = { 'impersonate-user': ['jane'], 'impersonate-group': ['readers'] };
    await api.by({ user: admin, impersonation }).ask('GET', MAPS);
    await put('b');
    expect(await told()).toEqual([]);
    await seeJane();
    expect(await told()).toEqual(['ERROR', 'ADDED default/a', 'ADDED default/b', 'BOOKMARK']);
  });

  it('the time of an older Subscription begins with the upgrade', async () => {
    await begin('30d');
    // The status has the form of a release that stored no uid.
    const author = { username: 'system:serviceaccount:default:robot', groups: ['readers'] };
    const { world } = api.memory;
    await api.ask('POST', SUBSCRIPTIONS, mine);
    const name = { namespace: 'default', name: 'mine' };
    await world.write('winnow.dev/subscriptions', name, (current) => ({
      ...current?.body,
      status: { author },
    }));
    await put('a');
    expect(await told()).toEqual(['ADDED default/a', 'BOOKMARK']);
    expect(await conditionOf('AuthorExpires')).toMatchObject({ reason: 'WrittenByUser' });
    await pass(31 * DAY);
    expect(await conditionOf('Authorized')).toMatchObject({ reason: 'AuthorNotSeen' });
  });

  it('a Tally stops counting, and counts again after the next request', async () => {
    await begin('2h');
    await put('a');
    await api.as(JANE).ask('POST', TALLIES, { ...mine, spec: { resource: { resource: 'configmaps' } } });
    await pass(MINUTE);
    const count = async () => ((await api.ask('GET', `${TALLIES}/mine`)).status as JsonObject).count;
    expect(await count()).toBe(1);
    await pass(130 * MINUTE);
    await put('b');
    await api.memory.minutes(2);
    expect(await count()).toBe(0);
    expect(await conditionOf('Authorized', TALLIES)).toMatchObject({
      status: 'False',
      reason: 'AuthorNotSeen',
    });
    await seeJane();
    await api.memory.minutes(2);
    expect(await count()).toBe(2);
  });

  it('an Event announces the stop of a Tally seven days ahead, and another reports it', async () => {
    await begin('30d');
    await api.as(JANE).ask('POST', TALLIES, { ...mine, spec: { resource: { resource: 'configmaps' } } });
    const began = api.memory.clock.now();
    await pass(22 * DAY);
    expect(await events('AuthorExpires')).toEqual([]);
    await pass(DAY);
    const date = new Date(began + 30 * DAY).toISOString().slice(0, 16);
    expect(await events('AuthorExpires')).toMatchObject([
      { type: 'Warning', involvedObject: { kind: 'Tally' }, message: expect.stringContaining(date) },
    ]);
    await pass(7 * DAY);
    expect(await events('AuthorNotSeen')).toMatchObject([
      { type: 'Warning', message: expect.stringContaining('counting is suspended: the author, user "jane"') },
    ]);
    expect(await events('Resumed')).toEqual([]);
    await seeJane();
    await api.memory.minutes(2);
    expect(await events('Resumed')).toMatchObject([{ message: 'all objects were counted again' }]);
  });

  describe.each(['subscriptions', 'tallies'])('a suspended object of %s', (plural) => {
    const path = `/apis/winnow.dev/v1/namespaces/default/${plural}`;
    async function suspend(suspended: boolean) {
      const { spec, ...found } = await api.ask('GET', `${path}/mine`);
      await api.ask('PUT', `${path}/mine`, {
        ...found,
        spec: { ...(spec as JsonObject), suspend: suspended },
      });
    }
    const phase = async () => ((await api.ask('GET', `${path}/mine`)).status as JsonObject).phase;

    beforeEach(async () => {
      await begin('2h');
      const { start: _, ...spec } = mine.spec as JsonObject;
      const own = plural === 'tallies' ? spec : mine.spec;
      await api.as(JANE).ask('POST', path, { ...mine, spec: { ...(own as JsonObject), suspend: true } });
      await api.memory.minutes(2);
    });

    it('a suspended object reports that the author was not seen and was seen again, and stays suspended', async () => {
      await pass(65 * MINUTE);
      expect(await conditionOf('AuthorExpires', path)).toMatchObject({ status: 'True' });
      expect(await events('AuthorExpires')).toHaveLength(1);
      await pass(65 * MINUTE);
      expect(await conditionOf('Authorized', path)).toMatchObject({ reason: 'AuthorNotSeen' });
      expect(await events('AuthorNotSeen')).toHaveLength(1);
      await seeJane();
      await api.memory.minutes(2);
      expect(await conditionOf('Authorized', path)).toBeUndefined();
      expect(await events('Resumed')).toEqual([]);
      expect(await phase()).toBe('Suspended');
      await suspend(false);
      await api.memory.minutes(2);
      expect(await events('Resumed')).toHaveLength(1);
      expect(await phase()).not.toBe('Suspended');
    });

    it('a suspended object reports that the author lost all permissions', async () => {
      await seeJane(['system:authenticated']);
      await api.memory.minutes(2);
      expect(await conditionOf('Authorized', path)).toMatchObject({ status: 'False', reason: 'Forbidden' });
      expect(await phase()).toBe('Suspended');
    });

    it('no Event reports a resumption while the author is not seen', async () => {
      await pass(130 * MINUTE);
      await suspend(false);
      await api.memory.minutes(2);
      expect(await events('Resumed')).toEqual([]);
      expect(await conditionOf('Authorized', path)).toMatchObject({ reason: 'AuthorNotSeen' });
    });
  });
});

describe('the record of when a user was seen', () => {
  const seen = async () => {
    const { store } = api.memory.world;
    return (await store.lastSeen(['jane'])).get('jane');
  };
  /** Counts the writes of user rows during `work`. */
  async function writesOf(work: () => Promise<unknown>): Promise<number> {
    const { table } = api.memory.world;
    const { update } = table;
    let writes = 0;
    table.update = async (key, change, signal) => {
      if (key.pk.startsWith('seen#')) writes += 1;
      return update(key, change, signal);
    };
    await work();
    table.update = update;
    return writes;
  }

  beforeEach(() => begin('30d'));

  it('a user costs one write in an hour, and one at once if the groups changed', async () => {
    const often = async (times: number, groups?: readonly string[]) => {
      for (let time = 0; time < times; time += 1) {
        await seeJane(groups);
        api.memory.clock.advance(MINUTE);
      }
    };
    expect(await writesOf(() => often(59))).toBe(1);
    expect(await writesOf(() => often(59))).toBe(1);
    expect(await writesOf(() => often(2, ['others']))).toBe(1);
    expect((await seen())?.groups).toEqual(['others']);
  });

  /** The days until DynamoDB deletes the row of the user. */
  async function daysLeft() {
    const { table, clock } = api.memory.world;
    const digest = createHash('sha256').update('jane').digest('base64url');
    const row = await table.get(seenKey(digest));
    return Math.round((Number(row?.ttl) * 1_000 - clock.now()) / DAY);
  }

  it('the row of a user without Subscriptions and Tallies expires after 90 days', async () => {
    await seeJane();
    expect(await daysLeft()).toBe(90);
    await pass(46 * DAY);
    expect(await daysLeft()).toBe(44);
    await seeJane();
    expect(await daysLeft()).toBe(90);
  });

  it.each([SUBSCRIPTIONS, TALLIES])(
    'the row of a user stays while an object of %s has that author',
    async (path) => {
      const { start: _, ...spec } = mine.spec as JsonObject;
      await api.as(JANE).ask('POST', path, { ...mine, spec });
      await api.memory.minutes(1);
      const { at } = (await seen()) ?? {};
      await pass(40 * DAY);
      expect(await daysLeft()).toBe(50);
      expect(await conditionOf('Authorized', path)).toMatchObject({ reason: 'AuthorNotSeen' });
      expect(await writesOf(() => pass(6 * DAY))).toBe(1);
      expect(await daysLeft()).toBe(90);
      expect(await seen()).toMatchObject({ at });
      expect(await conditionOf('Authorized', path)).toMatchObject({ reason: 'AuthorNotSeen' });
    },
  );

  it('a process that saw the user just now sends no extra request', async () => {
    await api.as(JANE).ask('POST', MAPS, { metadata: { name: 'a' } });
    const { table } = api.memory.world;
    const asked: string[] = [];
    const { batchGet } = table;
    table.batchGet = async (keys, signal) => {
      asked.push(...keys.map(({ pk }) => pk));
      return batchGet(keys, signal);
    };
    await api.as(JANE).ask('POST', MAPS, { metadata: { name: 'b' } });
    table.batchGet = batchGet;
    expect(asked.filter((pk) => pk.startsWith('seen#'))).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
  });

  it.each<readonly [string, Parameters<MemoryApi['by']>[0]]>([
    ['an administrator', { user: { username: 'root', groups: ['system:masters'] } }],
    ['an IAM principal', { user: { username: 'arn:x', groups: [] }, principal: 'arn:x' }],
    ['nobody', { user: { username: 'system:anonymous', groups: ['system:unauthenticated'] } }],
    ['a service account', { user: { username: 'system:serviceaccount:default:robot', groups: [] } }],
  ])('the API records nothing for %s', async (_, asker) => {
    expect(await writesOf(() => api.by(asker).send('GET', MAPS))).toBe(0);
  });

  it('a request succeeds if the user cannot be recorded', async () => {
    const { table } = api.memory.world;
    const { update } = table;
    table.update = async (key, change, signal) => {
      if (key.pk.startsWith('seen#')) throw new Error('the table does not answer');
      return update(key, change, signal);
    };
    expect((await seeJane()).status).toBe(200);
    table.update = update;
    expect(await seen()).toBeUndefined();
    await seeJane();
    expect((await seen())?.groups).toEqual(JANE.groups);
  });
});

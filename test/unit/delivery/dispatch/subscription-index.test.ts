import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SubscriptionIndex } from '../../../../lib/delivery/dispatch/subscription-index.ts';
import { type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import { parseSelector } from '../../../../lib/selectors/index.ts';
import type { JournalChange } from '../../../../lib/store/index.ts';
import { type Filter, type ObjectEvent, transition } from '../../../../lib/store/index.ts';
import { eventOf } from '../../../../lib/store/watch/transition.ts';
import { member, type PodWrite, podChanges, targetOf } from '../../../support/watch/members.ts';

const newIndex = () => new SubscriptionIndex(targetOf('pods'));

/** The subscriptions that the index names for a change, and the event that each sees. */
function eventsOf(index: SubscriptionIndex, change: JournalChange): Map<string, ObjectEvent> {
  const events = new Map<string, ObjectEvent>();
  index.visit(change, (uid, how) => {
    if (events.has(uid)) throw new Error(`${uid} is told twice of ${change.rv}`);
    events.set(uid, eventOf(change, how));
  });
  return events;
}

/** The subscriptions that receive the creation of a pod with these labels. */
async function toldOf(index: SubscriptionIndex, labels: Readonly<Record<string, string>>): Promise<string[]> {
  const [change] = await podChanges([{ name: 'default/a', labels }]);
  if (change === undefined) throw new Error('nothing was written');
  return [...eventsOf(index, change).keys()].sort();
}

const selecting = (app: string) => ({ labelSelector: `app=${app}` });

describe('the subscriptions of a SubscriptionIndex', () => {
  it('refresh leaves subscriptions untouched if they select the same', () => {
    const index = newIndex();
    const read = () => [member('a', selecting('x')), member('b'), member('c', { namespaces: 'All' })];
    expect(index.refresh(read())).toBe(3);
    expect(index.refresh(read())).toBe(0);
    const elsewhere = { membership: 'ready', position: 9, start: 2, attempt: 3, generation: 4 } as const;
    expect(index.refresh(read().map((state) => ({ ...state, ...elsewhere })))).toBe(0);
    expect(index.size).toBe(3);
  });

  it.each([
    ['its selector', { ...selecting('y') }],
    ['its field selector', { ...selecting('x'), fieldSelector: 'status.phase=Running' }],
    ['its namespaces', { ...selecting('x'), namespaces: 'All' }],
  ])('refresh follows an edit of %s, and leaves other subscriptions untouched', async (_, spec) => {
    const index = newIndex();
    index.refresh([member('a', selecting('x')), member('b', selecting('x'))]);
    expect(index.refresh([member('a', spec), member('b', selecting('x'))])).toBe(1);
    const fresh = newIndex();
    fresh.refresh([member('a', spec), member('b', selecting('x'))]);
    const changes = await podChanges(
      ['default/p', 'elsewhere/p'].flatMap((name) => [
        { name, labels: { app: 'x' }, phase: 'Running' },
        { name, labels: { app: 'y' } },
      ]),
    );
    for (const change of changes) expect(eventsOf(index, change)).toEqual(eventsOf(fresh, change));
  });

  it('refresh distinguishes a deleted subscription from a new one of the same name', async () => {
    const index = newIndex();
    index.refresh([member('a', selecting('x'), { uid: 'first' })]);
    expect(index.refresh([member('a', selecting('x'), { uid: 'second' })])).toBe(2);
    expect(await toldOf(index, { app: 'x' })).toEqual(['second']);
    expect(index.size).toBe(1);
  });

  it('refresh removes a subscription that catches up, and adds it back in its new form', async () => {
    const index = newIndex();
    const others = [member('b', selecting('x')), member('c', selecting('y'))];
    index.refresh([member('a', selecting('x')), ...others]);
    expect(index.refresh(others)).toBe(1);
    expect(await toldOf(index, { app: 'x' })).toEqual(['uid-b']);
    expect(index.refresh([...others, member('a', selecting('y'))])).toBe(1);
    expect(await toldOf(index, { app: 'x' })).toEqual(['uid-b']);
    expect(await toldOf(index, { app: 'y' })).toEqual(['uid-a', 'uid-c']);
    expect(index.refresh([])).toBe(3);
    expect(await toldOf(index, { app: 'y' })).toEqual([]);
  });
});

/** Creates a subscription that may receive only objects that one of the scope's selectors matches. */
const scopedMember = (spec: JsonObject, ...scope: readonly string[]) => ({
  ...member('a', spec),
  scope: JSON.stringify(scope),
});

describe('a subscription with a scope', () => {
  const life = [
    { app: 'x', team: 'c' },
    { app: 'x', team: 'a' },
    { app: 'x', team: 'b', n: '1' },
    { app: 'x', team: 'c' },
    { app: 'x' },
  ];
  const told = async (index: SubscriptionIndex) => {
    const gone = { name: 'default/p' };
    const changes = await podChanges([...life.map((labels) => ({ ...gone, labels })), gone]);
    return changes.map((change) => eventsOf(index, change).get('uid-a')?.type);
  };

  it.each([
    ['one selector', ['team in (a,b)']],
    ['several selectors', ['team=a', 'n=1,team=b']],
  ])('a scope of %s delivers only what enters, changes in and leaves it', async (_, scope) => {
    const index = newIndex();
    index.refresh([scopedMember(selecting('x'), ...scope)]);
    const none = undefined;
    expect(await told(index)).toEqual([none, 'ADDED', 'MODIFIED', 'DELETED', none, none]);
  });

  it('a scope without selectors delivers nothing', async () => {
    const index = newIndex();
    index.refresh([scopedMember(selecting('x'))]);
    expect(new Set(await told(index))).toEqual(new Set([undefined]));
  });

  it('the index follows a change or removal of the scope', async () => {
    const index = newIndex();
    index.refresh([scopedMember(selecting('x'), 'team=a', 'team=b')]);
    expect(index.refresh([scopedMember(selecting('x'), 'team=a', 'team=b')])).toBe(0);
    expect(index.refresh([scopedMember(selecting('x'), 'team=c')])).toBe(1);
    const none = undefined;
    expect(await told(index)).toEqual(['ADDED', 'DELETED', none, 'ADDED', 'DELETED', none]);
    expect(index.refresh([member('a', selecting('x'))])).toBe(1);
    expect((await told(index)).filter(Boolean)).toHaveLength(6);
    index.refresh([scopedMember(selecting('x'), 'team=a', 'team=b')]);
    index.refresh([]);
    expect((await told(index)).filter(Boolean)).toEqual([]);
  });
});

/** The selection of a subscription, independent of its form in a row. */
interface Wish {
  readonly all: boolean;
  readonly name: string | undefined;
  readonly phase: { readonly operator: '=' | '!='; readonly value: string } | undefined;
  readonly labels: string;
  /** Selectors of which at least one must match too. Undefined if there is no scope. */
  readonly scope: readonly string[] | undefined;
}

const KEYS = ['app', 'env', 'n'];
const VALUES = ['', 'a', 'b', '3', '12'];
const NAMES = ['a', 'b'];
const key = fc.constantFrom(...KEYS);
const value = fc.constantFrom(...VALUES);
const phase = fc.constantFrom('Pending', 'Running', 'Failed');
const requirement = fc.oneof(
  fc.tuple(key, fc.constantFrom('=', '!='), value).map((parts) => parts.join('')),
  fc
    .tuple(key, fc.constantFrom('in', 'notin'), fc.uniqueArray(value, { minLength: 1, maxLength: 3 }))
    .map(([name, verb, values]) => `${name} ${verb} (${values})`),
  fc.tuple(fc.constantFrom('', '!'), key).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom('n>', 'n<'), fc.constantFrom('3', '7')).map((parts) => parts.join('')),
);
const conjunction = fc.array(requirement, { minLength: 1, maxLength: 2 }).map((parts) => parts.join());
const wish: fc.Arbitrary<Wish> = fc.record({
  scope: fc.option(fc.array(conjunction, { maxLength: 3 }), { nil: undefined }),
  all: fc.boolean(),
  name: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
  phase: fc.option(fc.record({ operator: fc.constantFrom('=', '!='), value: phase }), { nil: undefined }),
  labels: fc.array(requirement, { maxLength: 3 }).map((parts) => parts.join()),
});
/** The subscriptions of several rounds, and their selections then. */
const rounds = fc.array(fc.dictionary(fc.constantFrom('s', 't', 'u', 'v', 'w'), wish), {
  minLength: 2,
  maxLength: 4,
});
const write: fc.Arbitrary<PodWrite> = fc.record(
  {
    name: fc
      .tuple(fc.constantFrom('default', 'elsewhere'), fc.constantFrom(...NAMES))
      .map((parts) => parts.join('/')),
    labels: fc.dictionary(key, value),
    phase,
  },
  { requiredKeys: ['name'] },
);

function specOf({ all, name, phase, labels }: Wish) {
  const fields = [
    ...(name === undefined ? [] : [`metadata.name=${name}`]),
    ...(phase === undefined ? [] : [`status.phase${phase.operator}${phase.value}`]),
  ];
  return { namespaces: all ? 'All' : 'Own', labelSelector: labels, fieldSelector: fields.join() };
}

function memberOf(uid: string, asked: Wish) {
  const scope = asked.scope === undefined ? '' : JSON.stringify(asked.scope);
  return { ...member(uid, specOf(asked), { uid }), scope };
}

function filterOf({ all, name, phase, labels, scope }: Wish): Filter {
  return {
    ...(all ? {} : { namespace: 'default' }),
    ...(name === undefined ? {} : { name }),
    selector: parseSelector(labels),
    matches: ({ body, labels: own }) => {
      if (scope?.some((text) => parseSelector(text).matches(own)) === false) return false;
      // Pending is Kubernetes' default of the field.
      const { phase: actual = 'Pending' } = objectAt(body.status);
      return phase === undefined || (actual === phase.value) === (phase.operator === '=');
    },
  };
}

describe('a SubscriptionIndex compared with each subscription alone', () => {
  it('the index gives the same events as evaluating each subscription alone', async () => {
    let events = 0;
    await fc.assert(
      fc.asyncProperty(rounds, fc.array(write, { minLength: 5, maxLength: 25 }), async (turns, writes) => {
        const index = newIndex();
        const changes = await podChanges(writes);
        for (const wishes of turns) {
          index.refresh(Object.entries(wishes).map(([uid, asked]) => memberOf(uid, asked)));
          const expected = changes.map((change) => {
            const told = Object.entries(wishes).map(([uid, asked]) => {
              return [uid, transition(change, filterOf(asked))] as const;
            });
            return new Map(told.filter(([, event]) => event !== undefined));
          });
          expect(changes.map((change) => eventsOf(index, change))).toEqual(expected);
          events += expected.reduce((sum, { size }) => sum + size, 0);
        }
      }),
      { numRuns: 300 },
    );
    expect(events).toBeGreaterThan(1_000);
  });

  it('the index decodes no state to find that a change concerns no subscription', async () => {
    const index = newIndex();
    index.refresh([member('a', selecting('x')), member('b', { labelSelector: 'env notin (p),app' })]);
    const changes = await podChanges([
      { name: 'default/p', labels: { env: 'p' } },
      { name: 'default/p', labels: { env: 'p' }, phase: 'Running' },
    ]);
    for (const change of changes) {
      Object.defineProperty(change, 'state', {
        get: () => {
          throw new Error('decoded');
        },
      });
      expect(eventsOf(index, change)).toEqual(new Map());
    }
  });
});

import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '../../../lib/json/index.ts';
import type { UserInfo } from '../../../lib/server/index.ts';
import type { Table } from '../../../lib/store/index.ts';
import type { Asked } from '../../support/service/access-api.ts';
import { type Administering, GHOST_NAMESPACE, type Grant, NAMESPACES, SELECTORS } from './administering.ts';
import { ADMIN, administer, kindOf, put, remove, tell, upsert } from './administrator.ts';
import type { Asking } from './asking.ts';
import { Canonical } from './canonical.ts';
import { pathOf } from './kinds.ts';
import { type Answer, LoneWorld, type OpenWatch } from './lone-world.ts';
import { filledIn, remember, type TenantMemory } from './tenant-memory.ts';

export type Step = Administering | Asking;

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const GRANTS = '/apis/winnow.dev/v1';
const GROUP = 'rbac.authorization.k8s.io';
/** The time in ms until watches send a change, and the time until a watch is authorized again. */
const PAUSE = 1_500;
const HEARTBEAT = 25_000;
/** The steps after which a watch is closed. If it ended by itself, it might do so earlier in one world. */
const STEPS_WATCHED = 6;

const ROLES: Readonly<Record<Grant['role'], readonly JsonObject[]>> = {
  everything: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  pods: [
    {
      verbs: ['*'],
      apiGroups: [''],
      resources: ['pods', 'pods/status', 'pods/eviction', 'configmaps', 'services', 'services/selected'],
    },
  ],
  reader: [{ verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['*'] }],
};

/** The responses to the tenant differ between the worlds. */
export class DifferenceError extends Error {
  constructor(step: unknown, left: JsonValue, right: JsonValue) {
    super(`${JSON.stringify(step)}\n  left: ${JSON.stringify(left)}\n right: ${JSON.stringify(right)}`);
    this.name = 'DifferenceError';
  }
}

/** One of the worlds, and the values that the tenant knows from it. */
interface Side extends TenantMemory {
  readonly which: 'left' | 'right';
  readonly world: LoneWorld;
  readonly canonical: Canonical;
}

interface Watched {
  readonly step: Asking;
  readonly pair: readonly OpenWatch[];
  stepsLeft: number;
}

export interface TwinOptions {
  readonly grants: readonly Grant[];
  readonly tenant: UserInfo;
  /** One table for each world. In memory if absent. */
  readonly tables?: readonly Table[] | undefined;
}

/**
 * Two worlds that differ only in objects that no grant selects. All steps run in both, in lockstep, and all responses
 * to the tenant must be equal.
 */
export class TwinWorlds {
  /** The number of successful responses to the tenant by kind of request, so that a test sees that it compared some. */
  readonly answered = new Map<string, number>();
  readonly #sides: readonly Side[];
  readonly #tenant: UserInfo;
  readonly #grants: readonly Grant[];
  #watched: Watched[] = [];

  private constructor({ grants, tenant }: TwinOptions, sides: readonly Side[]) {
    this.#grants = grants;
    this.#tenant = tenant;
    this.#sides = sides;
  }

  static async create(options: TwinOptions): Promise<TwinWorlds> {
    const sides: Side[] = [];
    for (const which of ['left', 'right'] as const) {
      const world = await LoneWorld.create(options.tables?.[sides.length]);
      sides.push({ which, world, canonical: new Canonical(), versions: new Map(), tokens: [], stolen: [] });
    }
    const twins = new TwinWorlds(options, sides);
    await twins.#prepare();
    return twins;
  }

  /** @throws DifferenceError */
  async perform(step: Step): Promise<void> {
    if (step.by === 'tenant') {
      await this.#ask(step as Asking);
    } else {
      await this.#administer(step as Administering);
    }
    await this.#settle(step.by === 'regrant' || step.by === 'revoke' ? HEARTBEAT : PAUSE);
    this.#compareWatches();
  }

  async #prepare(): Promise<void> {
    for (const [name, rules] of Object.entries(ROLES)) {
      await this.#made('POST', `${RBAC}/clusterroles`, { metadata: { name }, rules: [...rules] });
    }
    for (const name of NAMESPACES) await this.#made('POST', '/api/v1/namespaces', { metadata: { name } });
    const ghost = { metadata: { name: GHOST_NAMESPACE, labels: { team: 'z' } } };
    await this.#onSide('left', (world) =>
      administer(world, { method: 'POST', target: '/api/v1/namespaces', body: ghost }),
    );
    for (const [which, { selector }] of this.#grants.entries()) await this.#grant(which, selector);
    await this.#settle(PAUSE);
  }

  async #administer(step: Administering): Promise<void> {
    switch (step.by) {
      case 'put':
        return this.#both((world) => put(world, step));
      case 'remove':
        return this.#both((world) => remove(world, step));
      case 'ghost':
        return this.#each(async ({ world, which }) => {
          const wanted = step[which];
          if (step.namespace === GHOST_NAMESPACE && which === 'right') return;
          await (wanted === null ? remove(world, step) : put(world, { ...step, ...wanted }));
        });
      case 'event':
        return this.#both((world) => tell(world, step));
      case 'ghost event':
        return this.#each(async ({ world, which }) => {
          if (step[which]) await tell(world, step);
        });
      case 'regrant':
        return this.#grant(step.which % this.#grants.length, step.selector);
      case 'revoke':
        return this.#revoke(step.which % this.#grants.length || 1);
      case 'token':
        return this.#each(async ({ world, stolen }) => {
          const target = `${pathOf(kindOf(step), step.namespace)}?limit=1`;
          const { text } = await world.ask(ADMIN, { method: 'GET', target });
          stolen.push(JSON.parse(text).metadata?.continue);
        });
      default:
        throw new Error(`nobody does ${JSON.stringify(step)}`);
    }
  }

  async #ask(step: Asking): Promise<void> {
    const asked = this.#sides.map((side) => filledIn(step, side));
    const [first, second] = asked;
    if (first === undefined || second === undefined) return;
    if (step.watches === true) return this.#watch(step, [first, second]);
    const answers: Answer[] = [];
    for (const [at, { world }] of this.#sides.entries()) {
      answers.push(await world.ask(this.#tenant, asked[at] ?? first));
    }
    this.#compare(step, answers);
  }

  async #watch(step: Asking, asked: readonly Asked[]): Promise<void> {
    const opened: (Answer | OpenWatch)[] = [];
    for (const [at, { world }] of this.#sides.entries()) {
      opened.push(await world.watch(this.#tenant, asked[at] as Asked));
    }
    const pair = opened.filter((one): one is OpenWatch => 'lines' in one);
    if (pair.length === 2) {
      this.#watched.push({ step, pair, stepsLeft: STEPS_WATCHED });
      this.#count('watch');
    } else if (pair.length === 1) {
      const [left = false, right = false] = opened.map((one) => 'lines' in one);
      throw new DifferenceError(step, left, right);
    } else {
      this.#compare(step, opened as Answer[]);
    }
  }

  #compare(step: Asking, answers: readonly Answer[]): void {
    if (step.mayMeet === true && isDeclared(answers)) return;
    const [left, right] = this.#sides.map(({ canonical }, at) => canonical.answer(answers[at] as Answer));
    if (left === undefined || right === undefined) throw new Error('there are two worlds');
    if (!isDeepStrictEqual(left, right)) throw new DifferenceError(step, left, right);
    for (const [at, side] of this.#sides.entries()) remember(side, step, answers[at] as Answer);
    if ((answers[0]?.status ?? 500) < 300) this.#count(step.method);
  }

  #compareWatches(): void {
    for (const watched of this.#watched) {
      const { step, pair } = watched;
      const [left, right] = this.#sides.map(({ canonical }, at) => {
        const { lines = [], isOver = true } = pair[at] ?? {};
        const told = lines.splice(0).map((line) => canonical.text(line));
        if (told.length > 0) this.#count('event');
        return { told: told.filter((event) => !isMark(event)), isOver };
      });
      if (!isDeepStrictEqual(left, right)) throw new DifferenceError(step, left ?? null, right ?? null);
      watched.stepsLeft -= 1;
      if (watched.stepsLeft === 0) for (const one of pair) one.close();
    }
    this.#watched = this.#watched.filter(({ stepsLeft }) => stepsLeft > 0);
  }

  #count(what: string): void {
    this.answered.set(what, (this.answered.get(what) ?? 0) + 1);
  }

  async #grant(which: number, selector: number): Promise<void> {
    const { name, body, target } = this.#grantOf(which);
    await this.#both(async (world) => {
      const stated = { ...body, labelSelector: SELECTORS[selector] } as unknown as JsonObject;
      await upsert(world, { target, name, body: stated });
    });
  }

  async #revoke(which: number): Promise<void> {
    const { name, target } = this.#grantOf(which);
    await this.#both((world) => administer(world, { method: 'DELETE', target: `${target}/${name}` }, 404));
  }

  #grantOf(which: number) {
    const { role, namespace } = this.#grants[which] ?? { role: 'reader', namespace: '' };
    const name = `grant-${which}`;
    const body = {
      metadata: { name },
      roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: GROUP, kind: 'User', name: this.#tenant.username }],
    };
    const target =
      namespace === '' ? `${GRANTS}/clusteraccessgrants` : `${GRANTS}/namespaces/${namespace}/accessgrants`;
    return { name, body, target };
  }

  #made(method: string, target: string, body: JsonObject): Promise<void> {
    return this.#both((world) => administer(world, { method, target, body }));
  }

  #both(act: (world: LoneWorld) => Promise<unknown>): Promise<void> {
    return this.#each(({ world }) => act(world));
  }

  #onSide(wanted: Side['which'], act: (world: LoneWorld) => Promise<unknown>): Promise<void> {
    return this.#each(async ({ which, world }) => {
      if (which === wanted) await act(world);
    });
  }

  async #each(act: (side: Side) => Promise<unknown>): Promise<void> {
    for (const side of this.#sides) await act(side);
  }

  /** Lets both worlds settle for `pause` ms. Both then have the same time. */
  async #settle(pause: number): Promise<void> {
    const until = Math.max(...this.#sides.map(({ world }) => world.now)) + pause;
    await this.#both((world) => world.settle(until));
  }
}

/** Whether the difference is the declared one: a name is taken in one world, and nothing else is revealed. */
function isDeclared(answers: readonly Answer[]): boolean {
  const taken = answers.filter(({ status }) => status === 409);
  const [{ text } = { text: '' }] = taken;
  const { message, reason, details } = JSON.parse(text === '' ? '{}' : text);
  const isPlain = reason === 'AlreadyExists' && /^\S+ "[gh]" already exists$/.test(message);
  return (
    taken.length === 1 &&
    isPlain &&
    Object.keys(details).every((key) => ['name', 'group', 'kind'].includes(key))
  );
}

/** Whether the event is a periodic bookmark, and not the one that ends the initial events. */
function isMark(event: JsonValue): boolean {
  return /"type":"BOOKMARK"/.test(JSON.stringify(event)) && !/initial-events-end/.test(JSON.stringify(event));
}

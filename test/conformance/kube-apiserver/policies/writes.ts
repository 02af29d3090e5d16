import { applyMergePatch, type JsonObject } from '../../../../lib/json/index.ts';
import type { UserInfo } from '../../../../lib/server/index.ts';
import type { Dice } from '../../../integration/service/realistic/dice.ts';
import { nameOf, pathOf, type ServedKind, served, USERS } from './cluster.ts';

/** A write as the Go program reads it: what the policies see of a request. */
export interface SeenWrite {
  readonly user: UserInfo;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: ServedKind;
  readonly namespace: string;
  readonly name: string;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  /** Null for CONNECT. */
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
}

/** A write, and the requests that make it. */
export interface RandomWrite {
  readonly seen: SeenWrite;
  /** The object that must be stored before; undefined for a new object. */
  readonly before: { readonly path: string; readonly body: JsonObject } | undefined;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: JsonObject | undefined;
}

interface Target {
  readonly path: string;
  readonly operations: readonly SeenWrite['operation'][];
}

const MAIN = ['CREATE', 'UPDATE', 'DELETE'] as const;
const TARGETS: readonly Target[] = [
  { path: 'v1/configmaps', operations: MAIN },
  { path: 'v1/secrets', operations: MAIN },
  { path: 'v1/pods', operations: MAIN },
  { path: 'v1/pods/status', operations: ['UPDATE'] },
  { path: 'v1/pods/eviction', operations: ['CREATE'] },
  { path: 'v1/pods/exec', operations: ['CONNECT'] },
  { path: 'apps/v1/deployments', operations: MAIN },
  { path: 'apps/v1/deployments', operations: MAIN },
  { path: 'apps/v1/deployments/status', operations: ['UPDATE'] },
  { path: 'apps/v1/deployments/scale', operations: ['UPDATE'] },
  { path: 'autoscaling/v1/horizontalpodautoscalers', operations: MAIN },
  { path: 'autoscaling/v2/horizontalpodautoscalers', operations: MAIN },
  { path: 'v1/events', operations: ['CREATE', 'DELETE'] },
  { path: 'events.k8s.io/v1/events', operations: ['CREATE', 'DELETE'] },
  { path: 'v1/namespaces', operations: MAIN },
  { path: 'v1/nodes', operations: MAIN },
  { path: 'example.org/v1/widgets', operations: MAIN },
  { path: 'example.org/v2/widgets', operations: MAIN },
  { path: 'example.org/v1/widgets/status', operations: ['UPDATE'] },
  { path: 'example.org/v2/widgets/scale', operations: ['UPDATE'] },
  { path: 'example.org/v1/gadgets', operations: MAIN },
];
const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

/** Random writes of distinct objects, so that no write changes what another one meets. */
export class Writes {
  readonly #dice: Dice;
  readonly #labels: () => JsonObject;

  constructor(dice: Dice, labels: () => JsonObject) {
    this.#dice = dice;
    this.#labels = labels;
  }

  write(name: string): RandomWrite {
    const dice = this.#dice;
    const target = dice.pick(TARGETS);
    const kind = served(target.path);
    const operation = dice.pick(target.operations);
    const main = kind.subresource === '' ? kind : served(nameOf({ ...kind, subresource: '' }));
    const where = kind.namespaced ? dice.pick(['a', 'b']) : '';
    const isNew = operation === 'CREATE' && kind.subresource === '';
    const stored = isNew ? undefined : this.#object(main, where, name);
    const namespace = kind.resource === 'namespaces' ? name : where;
    const query = this.#query(operation);
    const collection = pathOf(kind, where);
    const own = `${collection}/${name}${kind.subresource === '' ? '' : `/${kind.subresource}`}`;
    const change = this.#change(kind, main, where, name, { operation, stored });
    const search = new URLSearchParams(query).toString();
    return {
      seen: {
        user: dice.pick(Object.values(USERS)),
        operation,
        kind,
        namespace,
        name,
        ...change.seen,
        options: optionsOf(operation, query, change.body),
        dryRun: 'dryRun' in query,
      },
      before: stored && { path: collection, body: stored },
      method: change.method,
      path: `${isNew ? collection : own}${search === '' ? '' : `?${search}`}`,
      body: change.body,
    };
  }

  #query(operation: SeenWrite['operation']): Record<string, string> {
    const dice = this.#dice;
    if (operation === 'CONNECT') return { command: 'ls', stdin: 'true' };
    return {
      ...(dice.chance(0.15) && { dryRun: 'All' }),
      ...(operation !== 'DELETE' && dice.chance(0.2) && { fieldManager: 'tester' }),
    };
  }

  #change(
    kind: ServedKind,
    main: ServedKind,
    namespace: string,
    name: string,
    { operation, stored }: { operation: SeenWrite['operation']; stored: JsonObject | undefined },
  ): {
    method: RandomWrite['method'];
    body: JsonObject | undefined;
    seen: Pick<SeenWrite, 'object' | 'oldObject'>;
  } {
    const dice = this.#dice;
    if (kind.subresource === 'eviction') {
      const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
      return { method: 'POST', body, seen: { object: body, oldObject: null } };
    }
    if (operation === 'CONNECT') {
      const object = { apiVersion: 'v1', kind: kind.kind.kind, command: ['ls'], stdin: true };
      return { method: 'POST', body: undefined, seen: { object, oldObject: null } };
    }
    if (stored === undefined) {
      const body = this.#object(kind, namespace, name);
      return { method: 'POST', body, seen: { object: body, oldObject: null } };
    }
    if (operation === 'DELETE') {
      const body = dice.chance(0.3) ? { propagationPolicy: dice.pick(['Background', 'Orphan']) } : undefined;
      return { method: 'DELETE', body, seen: { object: null, oldObject: stored } };
    }
    if (kind.subresource === 'scale') {
      const patch = { spec: { replicas: dice.between(0, 5) } };
      const oldObject = scaleOf(stored, namespace, name);
      return patched(oldObject, patch);
    }
    if (kind.subresource === 'status') {
      const isPod = kind.resource === 'pods';
      const status: JsonObject = isPod ? { message: 'moved' } : { replicas: dice.between(0, 5) };
      return patched(stored, { status });
    }
    const patch = { ...changed(this.#object(main, namespace, name), kind), ...this.#relabel() };
    if (kind.resource !== 'configmaps' || dice.chance(0.5)) return patched(stored, patch);
    const body = this.#object(kind, namespace, name);
    return { method: 'PUT', body, seen: { object: body, oldObject: stored } };
  }

  #relabel(): JsonObject {
    const labels: JsonObject = this.#labels();
    return { metadata: { labels: { ...(this.#dice.chance(0.3) && { env: null }), ...labels } } };
  }

  #object(kind: ServedKind, namespace: string, name: string): JsonObject {
    const labels = this.#dice.chance(0.85) ? { labels: this.#labels() } : undefined;
    return withoutEmptyLabels({
      apiVersion: [kind.kind.group, kind.kind.version].filter((part) => part !== '').join('/'),
      kind: kind.kind.kind,
      metadata: { name, ...(namespace !== '' && { namespace }), ...labels },
      ...this.#content(kind, namespace, name),
    });
  }

  #content(kind: ServedKind, namespace: string, name: string): JsonObject {
    const dice = this.#dice;
    switch (kind.resource) {
      case 'configmaps':
        return { data: dataOf(dice) };
      case 'secrets':
        return { type: 'Opaque', data: { count: 'Mg==' } };
      case 'pods':
        return { spec: podSpecOf(dice) };
      case 'deployments':
        return {
          spec: {
            replicas: dice.between(0, 5),
            selector: { matchLabels: { app: 'x' } },
            template: { metadata: { labels: { app: 'x' } }, spec: podSpecOf(dice) },
          },
        };
      case 'horizontalpodautoscalers':
        return {
          spec: {
            maxReplicas: dice.between(1, 9),
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
          },
        };
      case 'events':
        return eventOf(kind, namespace, name);
      case 'widgets':
        return { spec: { replicas: dice.between(0, 5) } };
      case 'gadgets':
        return { spec: { replicas: dice.between(0, 5) }, data: dataOf(dice) };
      default:
        return {};
    }
  }
}

function optionsOf(
  operation: SeenWrite['operation'],
  query: Readonly<Record<string, string>>,
  body: JsonObject | undefined,
): JsonObject | null {
  if (operation === 'CONNECT') return null;
  return {
    kind: OPTIONS[operation],
    apiVersion: 'meta.k8s.io/v1',
    ...(operation === 'DELETE' && body),
    ...query,
    ...('dryRun' in query && { dryRun: ['All'] }),
  };
}

/** Returns a merge patch of an object, and what policies see of it. */
function patched(oldObject: JsonObject, patch: JsonObject) {
  const object = withoutEmptyLabels(applyMergePatch(oldObject, patch) as JsonObject);
  return { method: 'PATCH', body: patch, seen: { object, oldObject } } as const;
}

/** Returns an object without an empty map of labels, which no server keeps. */
function withoutEmptyLabels(object: JsonObject): JsonObject {
  const { labels, ...metadata } = object.metadata as JsonObject;
  const isEmpty = Object.keys(labels ?? {}).length === 0;
  return { ...object, metadata: { ...metadata, ...(!isEmpty && { labels }) } };
}

/** Returns the fields of an object that an update may change. */
function changed({ spec, data }: JsonObject, { resource }: ServedKind): JsonObject {
  if (['pods', 'secrets', 'events'].includes(resource)) return {};
  return { ...(spec !== undefined && { spec }), ...(data !== undefined && { data }) };
}

function scaleOf({ spec }: JsonObject, namespace: string, name: string): JsonObject {
  const { replicas = 0 } = spec as JsonObject;
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, namespace },
    spec: { replicas },
    status: { replicas: 0 },
  };
}

const dataOf = (dice: Dice): JsonObject => ({
  ...(dice.chance(0.7) && { mode: dice.pick(['fast', 'slow', '']) }),
  ...(dice.chance(0.5) && { count: dice.pick(['1', '7', 'many']) }),
});

const podSpecOf = (dice: Dice): JsonObject => ({
  containers: Array.from({ length: dice.between(1, 2) }, (_, at) => ({
    name: `c${at}`,
    image: dice.pick(['registry/x', 'y']),
    ...(dice.chance(0.4) && { env: [{ name: 'A', value: '1' }] }),
    ...(dice.chance(0.5) && { resources: { limits: { cpu: dice.pick(['500m', '2']) } } }),
  })),
});

function eventOf({ group }: ServedKind, namespace: string, name: string): JsonObject {
  const about = { kind: 'Pod', name, namespace };
  if (group === '') return { involvedObject: about, reason: 'Made', message: 'text' };
  return {
    regarding: about,
    reason: 'Made',
    action: 'Make',
    type: 'Normal',
    eventTime: '2024-01-01T00:00:00.000000Z',
    reportingController: 'example.org/maker',
    reportingInstance: 'one',
  };
}

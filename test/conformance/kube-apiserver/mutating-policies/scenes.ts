import type { JsonObject } from '../../../../lib/json/index.ts';
import { Dice } from '../../../integration/service/realistic/dice.ts';
import { Mutations, type Scope } from './mutations.ts';

/** The writes of one scene. */
export const WRITES = 10;

/** Policies with their bindings, and the writes whose objects they change. The Go program reads it. */
export interface Scene {
  readonly namespaces: readonly JsonObject[];
  readonly params: readonly JsonObject[];
  readonly policies: readonly JsonObject[];
  readonly bindings: readonly JsonObject[];
  readonly writes: readonly RandomWrite[];
}

export interface RandomWrite {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly object: JsonObject;
  readonly oldObject: JsonObject | null;
}

const GROUP = 'admissionregistration.k8s.io/v1';
const KINDS = [
  { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' },
  { group: '', version: 'v1', resource: 'pods', kind: 'Pod' },
  { group: '', version: 'v1', resource: 'services', kind: 'Service' },
  { group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' },
  { group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment' },
] as const;

/** Returns the scene of a seed. */
export function sceneOf(seed: number): Scene {
  return new Scenes(new Dice(Math.imul(seed, 0x9e3779b1))).scene();
}

class Scenes {
  readonly #dice: Dice;
  readonly #mutations: Mutations;

  constructor(dice: Dice) {
    this.#dice = dice;
    this.#mutations = new Mutations(dice);
  }

  scene(): Scene {
    const dice = this.#dice;
    const policies = Array.from({ length: dice.between(1, 3) }, (_, at) => this.#policy(`policy-${at}`));
    return {
      namespaces: ['a', 'b'].map((name) => this.#namespace(name)),
      params: ['p0', 'p1'].map((name) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace: dice.pick(['a', 'b']), labels: { param: 'yes' } },
        ...(dice.chance(0.8) && { data: { mode: dice.pick(['x', 'y']) } }),
      })),
      policies,
      bindings: policies.flatMap((policy, at) =>
        Array.from({ length: dice.pick([1, 1, 1, 2]) }, (_, which) =>
          this.#binding(`binding-${at}-${which}`, policy),
        ),
      ),
      writes: Array.from({ length: WRITES }, (_, at) => this.#write(`w${at}`)),
    };
  }

  #policy(name: string): JsonObject {
    const dice = this.#dice;
    const hasParams = dice.chance(0.25);
    const paramKind = dice.chance(0.05)
      ? { apiVersion: 'example.org/v1', kind: 'Unknown' }
      : { apiVersion: 'v1', kind: 'ConfigMap' };
    const names: string[] = [];
    const scope = (): Scope => ({ variables: [...names], hasParams });
    const variables = Array.from({ length: dice.pick([0, 0, 1, 2]) }, (_, at) => {
      const expression = this.#mutations
        .text(scope())
        .replaceAll(/jsonpatch.*?\)|.*(Object|JSONPatch).*/g, '"v"');
      names.push(`v${at}`);
      return { name: `v${at}`, expression };
    });
    const conditions = dice.chance(0.3)
      ? [
          {
            name: 'c',
            expression: this.#mutations
              .bool({ variables: [], hasParams })
              .replaceAll(/.*(Object|JSONPatch|jsonpatch).*/g, 'true'),
          },
        ]
      : [];
    return {
      apiVersion: GROUP,
      kind: 'MutatingAdmissionPolicy',
      metadata: { name },
      spec: {
        ...(hasParams && { paramKind }),
        matchConstraints: this.#match(),
        failurePolicy: dice.pick(['Fail', 'Fail', 'Ignore']),
        reinvocationPolicy: dice.pick(['Never', 'IfNeeded']),
        ...(variables.length > 0 && { variables }),
        ...(conditions.length > 0 && { matchConditions: conditions }),
        mutations: Array.from({ length: dice.pick([1, 1, 1, 2]) }, () => this.#mutations.mutation(scope())),
      },
    };
  }

  #match(): JsonObject {
    const dice = this.#dice;
    const selector = dice.pick<JsonObject>([
      {},
      {},
      {},
      { matchLabels: { env: 'prod' } },
      { matchExpressions: [{ key: 'team', operator: 'Exists' }] },
    ]);
    return {
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: selector,
      resourceRules: [
        {
          operations: [dice.pick(['*', '*', 'CREATE', 'UPDATE'])],
          apiGroups: ['*'],
          apiVersions: ['*'],
          resources: dice.chance(0.7)
            ? ['*']
            : [...new Set([dice.pick(KINDS).resource, dice.pick(KINDS).resource])],
          scope: '*',
        },
      ],
    };
  }

  #binding(name: string, policy: JsonObject): JsonObject {
    const dice = this.#dice;
    const { metadata, spec } = policy as { metadata: JsonObject; spec: JsonObject };
    const target: JsonObject = dice.chance(0.6)
      ? { name: dice.pick(['p0', 'p1', 'p2']) }
      : { selector: { matchLabels: { param: 'yes' } } };
    const paramRef: JsonObject = {
      ...target,
      parameterNotFoundAction: dice.pick(['Allow', 'Deny']),
      ...(dice.chance(0.5) && { namespace: dice.pick(['a', 'b']) }),
    };
    return {
      apiVersion: GROUP,
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: metadata.name ?? '',
        ...(spec.paramKind !== undefined && dice.chance(0.9) && { paramRef }),
      },
    };
  }

  #namespace(name: string): JsonObject {
    return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: this.#labels() } };
  }

  #labels(): JsonObject {
    const dice = this.#dice;
    return {
      ...(dice.chance(0.6) && { env: dice.pick(['prod', 'dev']) }),
      ...(dice.chance(0.4) && { team: dice.pick(['red', 'blue']) }),
    };
  }

  #write(name: string): RandomWrite {
    const dice = this.#dice;
    const type = dice.pick(KINDS);
    const isNamespace = type.kind === 'Namespace';
    const namespace = isNamespace ? '' : dice.pick(['a', 'b']);
    const make = (): JsonObject => ({
      apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
      kind: type.kind,
      metadata: {
        name,
        ...(!isNamespace && { namespace }),
        ...(dice.chance(0.8) && { labels: this.#labels() }),
      },
      ...this.#content(type.kind),
    });
    const isUpdate = dice.chance(0.4);
    return {
      ...type,
      operation: isUpdate ? 'UPDATE' : 'CREATE',
      namespace: isNamespace ? name : namespace,
      name,
      object: make(),
      oldObject: isUpdate ? make() : null,
    };
  }

  #content(kind: string): JsonObject {
    const dice = this.#dice;
    switch (kind) {
      case 'ConfigMap':
        return dice.chance(0.7) ? { data: { k: dice.pick(['v', 'w']) } } : {};
      case 'Pod':
        return { spec: this.#podSpec() };
      case 'Service':
        return { spec: { ports: [{ port: dice.pick([80, 81]), protocol: 'TCP', name: 'http' }] } };
      case 'Deployment':
        return {
          spec: {
            replicas: dice.between(0, 3),
            selector: { matchLabels: { app: 'a' } },
            template: { metadata: { labels: { app: 'a' } }, spec: this.#podSpec() },
          },
        };
      default:
        return {};
    }
  }

  #podSpec(): JsonObject {
    const dice = this.#dice;
    const names = dice.sample(['main', 'side', 'third'], dice.between(1, 3));
    return {
      containers: names.map((name) => ({
        name,
        image: dice.pick(['i', 'j']),
        ...(dice.chance(0.3) && {
          env: [
            { name: 'A', value: 'b' },
            { name: 'B', value: 'c' },
          ],
        }),
        ...(dice.chance(0.2) && { ports: [{ containerPort: 80, protocol: 'TCP' }] }),
        ...(dice.chance(0.2) && { resources: { limits: { cpu: '2' } } }),
      })),
      ...(dice.chance(0.2) && { nodeSelector: { disk: 'ssd' } }),
    };
  }
}

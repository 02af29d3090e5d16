import type { JsonObject } from '../../../../lib/json/index.ts';
import { Dice } from '../../../integration/service/realistic/dice.ts';
import { binding, GROUP_OF_DEVS, JANE, KINDS, ROBOT, role, type ServedKind, WRITERS } from './cluster.ts';
import { Policies } from './policies.ts';
import { type RandomWrite, type SeenWrite, Writes } from './writes.ts';

/** The writes of one scene. */
export const WRITES = 20;

/** A cluster with policies, and the writes that they decide. */
export interface Scene {
  readonly roles: readonly JsonObject[];
  readonly roleBindings: readonly JsonObject[];
  readonly namespaces: readonly JsonObject[];
  readonly params: readonly JsonObject[];
  readonly policies: readonly JsonObject[];
  readonly bindings: readonly JsonObject[];
  readonly writes: readonly RandomWrite[];
}

/** A scene as the Go program reads it. */
export interface Question {
  readonly kinds: readonly ServedKind[];
  readonly policy: {
    readonly clusterRoles: readonly JsonObject[];
    readonly clusterRoleBindings: readonly JsonObject[];
  };
  readonly namespaces: readonly JsonObject[];
  readonly params: readonly JsonObject[];
  readonly policies: readonly JsonObject[];
  readonly bindings: readonly JsonObject[];
  readonly writes: readonly SeenWrite[];
}

/** Returns the scene of a seed. */
export function sceneOf(seed: number): Scene {
  const dice = new Dice(Math.imul(seed, 0x9e3779b1));
  const policies = new Policies(dice);
  const labels = () => policies.labels();
  const random = Array.from({ length: dice.between(1, 4) }, (_, at) => policies.policy(`policy-${at}`));
  const bindings = random.flatMap((policy, at) =>
    Array.from({ length: dice.pick([0, 1, 1, 1, 2]) }, (_, which) =>
      policies.binding(`binding-${at}-${which}`, policy),
    ),
  );
  const writes = new Writes(dice, labels);
  return {
    ...rolesOf(dice),
    namespaces: ['a', 'b'].map((name) => namespaceOf(name, labels())),
    params: paramsOf(dice, labels),
    policies: random,
    bindings,
    writes: Array.from({ length: WRITES }, (_, at) => writes.write(`w${at}`)),
  };
}

/** Returns what the Go program is asked about a scene. */
export function questionOf({ roles, roleBindings, writes, ...scene }: Scene): Question {
  const stored = writes.flatMap(({ before }) => (before?.body.kind === 'Namespace' ? [before.body] : []));
  return {
    ...scene,
    kinds: KINDS,
    policy: { clusterRoles: roles, clusterRoleBindings: roleBindings },
    namespaces: [...scene.namespaces, ...stored].map(labelledByName),
    writes: writes.map(({ seen }) => seen),
  };
}

function namespaceOf(name: string, labels: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

/** Returns a Namespace with the label that both servers add. */
function labelledByName(namespace: JsonObject): JsonObject {
  const { metadata } = namespace as { metadata: JsonObject };
  const labels = { ...(metadata.labels as JsonObject), 'kubernetes.io/metadata.name': metadata.name ?? '' };
  return { ...namespace, metadata: { ...metadata, labels } };
}

function rolesOf(dice: Dice): Pick<Scene, 'roles' | 'roleBindings'> {
  const special = role('special', [
    { apiGroups: ['', 'apps'], resources: ['configmaps', 'deployments'], verbs: ['approve'] },
    {
      apiGroups: ['example.org'],
      resources: ['widgets', 'gadgets'],
      verbs: dice.sample(['use', 'approve'], 1),
    },
    ...(dice.chance(0.5) ? [{ nonResourceURLs: ['/special/*'], verbs: ['get'] }] : []),
  ]);
  return {
    roles: [WRITERS, special],
    roleBindings: [
      binding('writers', [GROUP_OF_DEVS, ROBOT]),
      binding('special', dice.sample([GROUP_OF_DEVS, JANE, ROBOT], 1)),
    ],
  };
}

function paramsOf(dice: Dice, labels: () => JsonObject): JsonObject[] {
  const params: JsonObject[] = [];
  // The label tells parameters from the objects that the writes change.
  const marked = () => ({ ...labels(), param: 'yes' });
  for (const name of ['p0', 'p1', 'p2']) {
    for (const namespace of ['a', 'b']) {
      const metadata = () => ({ name, namespace, labels: marked() });
      const data = { mode: dice.pick(['fast', 'slow', '']), count: dice.pick(['1', '7', 'many']) };
      if (dice.chance(0.5)) params.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(), data });
      if (dice.chance(0.5)) params.push({ ...limitOf('Limit', dice), metadata: metadata() });
    }
    if (dice.chance(0.5)) params.push({ ...limitOf('BigLimit', dice), metadata: { name, labels: marked() } });
  }
  return params;
}

function limitOf(kind: string, dice: Dice): JsonObject {
  const spec: JsonObject = dice.chance(0.7) ? { most: dice.between(0, 5) } : {};
  return { apiVersion: 'example.org/v1', kind, spec };
}

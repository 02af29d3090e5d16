import type { JsonObject } from '../../../../lib/json/index.ts';
import { Dice } from '../../../integration/service/realistic/dice.ts';

/** Two custom kinds, and policies that match objects of the first and may have parameters of the second. */
export interface TypedScene {
  readonly definitions: readonly JsonObject[];
  readonly typeChecked: readonly JsonObject[];
}

/** The policies of one scene. */
export const TYPED_POLICIES = 10;

const GROUP = 'example.org';
const DEEPEST = 3;
/** Names of fields, and how expressions write them. Some are reserved words of CEL. */
const NAMES: readonly (readonly [string, string])[] = [
  ['size', 'size'],
  ['count', 'count'],
  ['label', 'label'],
  ['list', 'list'],
  ['inner', 'inner'],
  ['namespace', '__namespace__'],
  ['namespace', 'namespace'],
  ['for', '__for__'],
  ['a-b', 'a__dash__b'],
  ['a.b', 'a__dot__b'],
];
const LEAVES: readonly JsonObject[] = [
  { type: 'string' },
  { type: 'string', enum: ['a', 'b'] },
  { type: 'string', format: 'date-time' },
  { type: 'string', format: 'duration' },
  { type: 'string', format: 'byte' },
  { type: 'integer' },
  { type: 'integer', format: 'int32', nullable: true },
  { type: 'number' },
  { type: 'boolean' },
  { 'x-kubernetes-int-or-string': true },
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  { 'x-kubernetes-preserve-unknown-fields': true },
];
/** Ends of an expression about a value. Few of them fit its type. */
const ENDS = [
  " == 'a'",
  ' > 1',
  ' == 1.5',
  ' == true',
  '.size() > 1',
  "[0] == 'a'",
  "['key'] == 1",
  ".exists(each, each == 'a')",
  '.all(key, value, value == 1)',
  '.all(each, has(each.count))',
  ".startsWith('a')",
  ' + 1 == 2',
  " == duration('1s')",
  '.getFullYear() > 1',
  ' == null',
  " in ['a', 'b']",
];

/** Returns the scene of a seed. */
export function typedSceneOf(seed: number): TypedScene {
  const dice = new Dice(Math.imul(seed, 0x9e3779b1));
  const [thing, limit] = [objectOf(dice, 0), objectOf(dice, 0)];
  return {
    definitions: [definition('things', 'Thing', thing), definition('limits', 'Limit', limit)],
    typeChecked: Array.from({ length: TYPED_POLICIES }, (_, at) =>
      policy(`policy-${at}`, new Paths(dice, { object: thing, oldObject: thing, params: limit })),
    ),
  };
}

function objectOf(dice: Dice, depth: number): JsonObject {
  const names = dice.sample([...new Set(NAMES.map(([name]) => name))], dice.between(2, 5));
  const properties = Object.fromEntries(names.map((name) => [name, schemaOf(dice, depth + 1)]));
  return { type: 'object', properties };
}

function schemaOf(dice: Dice, depth: number): JsonObject {
  if (depth >= DEEPEST || dice.chance(0.5)) return dice.pick(LEAVES);
  return dice.pick([
    () => objectOf(dice, depth),
    () => ({ type: 'array', items: schemaOf(dice, depth + 1) }),
    () => ({ type: 'object', additionalProperties: schemaOf(dice, depth + 1) }),
  ])();
}

function definition(plural: string, kind: string, spec: JsonObject): JsonObject {
  const properties = { spec, status: { type: 'object', properties: { phase: { type: 'string' } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties } },
          subresources: { status: {} },
        },
      ],
    },
  };
}

function policy(name: string, paths: Paths): JsonObject {
  const { dice } = paths;
  const hasParams = dice.chance(0.5);
  const variables = dice.chance(0.4) ? [{ name: 'v', expression: paths.path(hasParams) }] : [];
  const value = () => (variables.length > 0 && dice.chance(0.3) ? 'variables.v' : paths.path(hasParams));
  const condition = () => {
    const own = value();
    return dice.chance(0.1) && !/[\]v]$/.test(own) ? `has(${own})` : `${own}${dice.pick(ENDS)}`;
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          { apiGroups: [GROUP], apiVersions: ['v1'], operations: ['*'], resources: ['things'] },
        ],
      },
      ...(hasParams && { paramKind: { apiVersion: `${GROUP}/v1`, kind: 'Limit' } }),
      ...(variables.length > 0 && { variables }),
      validations: Array.from({ length: dice.between(1, 3) }, () => ({
        expression: dice.chance(0.3) ? `${condition()} || ${condition()}` : condition(),
        ...(dice.chance(0.3) && { messageExpression: `'got ' + string(${value()})` }),
      })),
    },
  };
}

/** Paths through schemas. One in ten names a field that the schema lacks. */
class Paths {
  readonly dice: Dice;
  readonly #roots: Readonly<Record<'object' | 'oldObject' | 'params', JsonObject>>;

  constructor(dice: Dice, roots: Readonly<Record<'object' | 'oldObject' | 'params', JsonObject>>) {
    this.dice = dice;
    this.#roots = roots;
  }

  path(hasParams: boolean): string {
    const { dice } = this;
    const root = hasParams
      ? dice.pick(['object', 'params'] as const)
      : dice.pick(['object', 'oldObject'] as const);
    if (dice.chance(0.15)) {
      return `${root}.${dice.pick(['metadata.name', 'metadata.labels', 'metadata.ownerReferences', 'status.phase', 'kind', 'metadata.creationTimestamp', 'metadata.missing'])}`;
    }
    return `${root}.spec${this.#below(this.#roots[root])}`;
  }

  #below({ properties, items, additionalProperties }: JsonObject, depth = 0): string {
    const { dice } = this;
    if (properties !== undefined) {
      const [name, written] = dice.pick(NAMES);
      const own = (properties as JsonObject)[name] as JsonObject | undefined;
      if (own === undefined && dice.chance(0.7)) {
        const [known = '', schema = {}] = dice.pick(Object.entries(properties as JsonObject));
        const [, other = ''] = NAMES.find(([each]) => each === known) ?? [];
        return `.${other}${this.#below(schema as JsonObject, depth + 1)}`;
      }
      return `.${written}${own === undefined ? '' : this.#below(own, depth + 1)}`;
    }
    if (depth > 0 && dice.chance(0.4)) return '';
    if (items !== undefined) return `[0]${this.#below(items as JsonObject, depth + 1)}`;
    if (additionalProperties !== undefined) {
      return `['key']${this.#below(additionalProperties as JsonObject, depth + 1)}`;
    }
    return dice.chance(0.05) ? '.deeper' : '';
  }
}

import type { Dice } from '../../../integration/service/realistic/dice.ts';

/** What an expression may name besides what all may. */
export interface Scope {
  /** The names of variables of each type. */
  readonly variables: Readonly<Record<Kind, readonly string[]>>;
  readonly hasParams: boolean;
  /** False in the expressions of messages. */
  readonly hasAuthorizer: boolean;
}

export type Kind = 'bool' | 'int' | 'string';

const KEYS = ['env', 'team', 'tier'];
const TEXTS = ["'a'", "'red'", "'prod'", "'w'", "''", "'é\\n'"];
const DEEPEST = 3;

/** Words that name some string, if the write has it. */
const STRINGS = [
  'object.metadata.name',
  'object.kind',
  'object.apiVersion',
  'object.metadata.labels.env',
  "object.metadata.labels['team']",
  "object.metadata.?labels[?'env'].orValue('none')",
  'oldObject.metadata.name',
  "oldObject.metadata.labels['env']",
  'request.name',
  'request.namespace',
  'request.operation',
  'request.subResource',
  'request.requestSubResource',
  'request.kind.kind',
  'request.kind.version',
  'request.resource.resource',
  'request.resource.group',
  'request.requestKind.version',
  'request.requestResource.resource',
  'request.userInfo.username',
  'request.userInfo.uid',
  "request.userInfo.groups.join(',')",
  "request.userInfo.extra['team'][0]",
  'request.options.fieldManager',
  'request.options.kind',
  'namespaceObject.metadata.name',
  "namespaceObject.metadata.labels['env']",
  'object.data.mode',
  'object.spec.template.spec.containers[0].image',
  'object.nonsense.field',
  "string(object.spec.replicas) + 'x'",
];

const INTS = [
  '0',
  '1',
  '3',
  'object.spec.replicas',
  'oldObject.spec.replicas',
  'object.spec.maxReplicas',
  'object.spec.template.spec.containers.size()',
  'object.data.size()',
  'size(request.userInfo.groups)',
  'size(object.metadata.name)',
  'int(object.data.count)',
  'object.status.replicas',
  '7 / (size(object.metadata.name) - 2)',
];

const BOOLS = [
  'true',
  'false',
  'object == null',
  'oldObject == null',
  'object != null && object.metadata.name.startsWith("w")',
  'request.dryRun',
  'has(object.metadata.labels)',
  'has(object.metadata.labels.env)',
  'has(object.spec.replicas)',
  'has(object.data)',
  'has(object.status)',
  'has(request.options.fieldManager)',
  'has(request.options.propagationPolicy)',
  'has(request.userInfo.extra)',
  'has(namespaceObject.metadata.labels)',
  'namespaceObject == null',
  "'devs' in request.userInfo.groups",
  "'env' in object.metadata.labels",
  "object.metadata.labels.exists(key, key == 'env')",
  "object.metadata.labels.all(key, value, key != 'env' || value in ['prod', 'dev'])",
  "object.spec.template.spec.containers.all(each, each.image.startsWith('registry/'))",
  'object.spec.template.spec.containers.exists_one(each, has(each.env))',
  'object.spec == oldObject.spec',
  'object.data == oldObject.data',
  "request.operation in ['CREATE', 'UPDATE']",
  "object.metadata.name.matches('^w[0-9]*[02468]$')",
  "quantity(object.spec.template.spec.containers[0].resources.limits.cpu).isGreaterThan(quantity('1'))",
  "dyn(object.metadata.name) == 1 || object.metadata.name == ''",
];

/** An expression that costs more than one evaluation may: a million steps. */
const DEAR = Array.from({ length: 6 }, (_, at) => `[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].all(e${at}, `)
  .concat('true', ')'.repeat(6))
  .join('');

const PARAM_STRINGS = ['params.metadata.name', 'params.kind', 'params.apiVersion', 'params.data.mode'];
const PARAM_INTS = ['params.spec.most', 'int(params.data.count)'];
const PARAM_BOOLS = ['params == null', 'has(params.data)', 'has(params.spec.most)', "params.data.mode != ''"];

const ACCESSES = [
  'authorizer',
  "authorizer.serviceAccount('a', 'robot')",
  "authorizer.serviceAccount('b', 'robot')",
];
const RESOURCES = [
  "group('').resource('configmaps').namespace('a')",
  "group('apps').resource('deployments').subresource('scale').namespace('b')",
  "group('apps').resource('deployments').namespace('a').name('w1')",
  "group('example.org').resource('widgets')",
  "path('/special/x')",
];
const VERBS = ['approve', 'use', 'get'];

/** Random expressions of admission policies. Most of them compile; some fail when they are evaluated. */
export class Expressions {
  readonly #dice: Dice;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  of(kind: Kind, scope: Scope, depth = 0): string {
    const names = scope.variables[kind];
    if (names.length > 0 && this.#dice.chance(0.25)) return `variables.${this.#dice.pick(names)}`;
    if (this.#dice.chance(0.003)) return this.#wrong(kind);
    if (kind === 'bool' && this.#dice.chance(0.003)) return DEAR;
    if (depth >= DEEPEST || this.#dice.chance(0.45)) return this.#leaf(kind, scope);
    const part = (of: Kind) => this.of(of, scope, depth + 1);
    switch (kind) {
      case 'bool':
        return this.#bool(part);
      case 'int':
        return this.#int(part);
      case 'string':
        return this.#string(part);
    }
  }

  #bool(part: (of: Kind) => string): string {
    return this.#dice.pick([
      () => `(${part('bool')} && ${part('bool')})`,
      () => `(${part('bool')} || ${part('bool')})`,
      () => `!(${part('bool')})`,
      () => `(${part('bool')} ? ${part('bool')} : ${part('bool')})`,
      () => `${part('int')} ${this.#dice.pick(['<', '<=', '==', '!=', '>'])} ${part('int')}`,
      () => `${part('string')} ${this.#dice.pick(['==', '!=', '<'])} ${part('string')}`,
      () =>
        `${part('string')}.${this.#dice.pick(['contains', 'startsWith', 'endsWith'])}(${this.#dice.pick(TEXTS)})`,
      () =>
        `[dyn(${part('string')}), dyn(${part('string')})].exists(each, each == ${this.#dice.pick(TEXTS)})`,
    ])();
  }

  #int(part: (of: Kind) => string): string {
    return this.#dice.pick([
      () => `(${part('int')} ${this.#dice.pick(['+', '-', '*', '/', '%'])} ${part('int')})`,
      () => `size(${part('string')})`,
      () => `(${part('bool')} ? ${part('int')} : ${part('int')})`,
    ])();
  }

  #string(part: (of: Kind) => string): string {
    return this.#dice.pick([
      () => `(${part('string')} + ${part('string')})`,
      () => `string(${part('int')})`,
      () => `(${part('bool')} ? ${part('string')} : ${part('string')})`,
      () => `'%s is %d'.format([${part('string')}, ${part('int')}])`,
      () => `${part('string')}.lowerAscii()`,
    ])();
  }

  #leaf(kind: Kind, { hasParams, hasAuthorizer }: Scope): string {
    if (hasParams && this.#dice.chance(0.3)) {
      return this.#dice.pick({ bool: PARAM_BOOLS, int: PARAM_INTS, string: PARAM_STRINGS }[kind]);
    }
    if (hasAuthorizer && kind !== 'int' && this.#dice.chance(0.15)) return this.#access(kind);
    if (kind === 'string' && this.#dice.chance(0.25)) return this.#dice.pick(TEXTS);
    if (kind === 'string' && this.#dice.chance(0.1)) return `object.metadata.labels.${this.#dice.pick(KEYS)}`;
    return this.#dice.pick({ bool: BOOLS, int: INTS, string: STRINGS }[kind]);
  }

  #access(kind: Kind): string {
    const end = kind === 'bool' ? 'allowed()' : 'reason()';
    if (this.#dice.chance(0.3)) return `authorizer.requestResource.check('${this.#dice.pick(VERBS)}').${end}`;
    const [who, what] = [this.#dice.pick(ACCESSES), this.#dice.pick(RESOURCES)];
    return `${who}.${what}.check('${this.#dice.pick(VERBS)}').${end}`;
  }

  /** Returns an expression that does not compile. */
  #wrong(kind: Kind): string {
    return this.#dice.pick([
      'unknown.name',
      "'a' + 1",
      'request.nonsense',
      'variables.nonsense',
      kind === 'int' ? "'text'" : '5',
    ]);
  }
}

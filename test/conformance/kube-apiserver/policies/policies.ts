import type { JsonObject } from '../../../../lib/json/index.ts';
import type { Dice } from '../../../integration/service/realistic/dice.ts';
import { KINDS } from './cluster.ts';
import { Expressions, type Kind, type Scope } from './expressions.ts';

const GROUP = 'admissionregistration.k8s.io/v1';
const PARAM_KINDS = [
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'example.org/v1', kind: 'Limit' },
  { apiVersion: 'example.org/v1', kind: 'BigLimit' },
];
const UNKNOWN_KIND = { apiVersion: 'example.org/v1', kind: 'Unknown' };
const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const ACTIONS = [['Deny'], ['Deny'], ['Warn'], ['Audit'], ['Deny', 'Audit'], ['Warn', 'Audit']];
const ENVIRONMENTS = ['prod', 'dev', 'test'];
const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];
const NO_VARIABLES = { bool: [], int: [], string: [] };
const KINDS_OF_VARIABLES: readonly Kind[] = ['bool', 'int', 'string'];

/** Random policies with their bindings. A few are refused when they are created. */
export class Policies {
  readonly #dice: Dice;
  readonly #expressions: Expressions;

  constructor(dice: Dice) {
    this.#dice = dice;
    this.#expressions = new Expressions(dice);
  }

  policy(name: string): JsonObject {
    const dice = this.#dice;
    const paramKind = this.#maybe(0.4, () => (dice.chance(0.08) ? UNKNOWN_KIND : dice.pick(PARAM_KINDS)));
    const variables: Record<Kind, string[]> = { bool: [], int: [], string: [] };
    const scope: Scope = { variables, hasParams: paramKind !== undefined, hasAuthorizer: true };
    const declared = this.#many(0, 3, (at) => {
      const kind = dice.pick(KINDS_OF_VARIABLES);
      const expression = this.#expressions.of(kind, scope);
      variables[kind].push(`v${at}`);
      return { name: `v${at}`, expression };
    });
    return {
      apiVersion: GROUP,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        matchConstraints: this.#match(1),
        ...this.#failurePolicy(),
        ...(paramKind !== undefined && { paramKind }),
        ...this.#list('variables', declared),
        ...this.#list('matchConditions', this.#conditions(scope)),
        validations: this.#many(1, 3, () => this.#validation(scope)),
        ...this.#list('auditAnnotations', this.#annotations(scope)),
      },
    };
  }

  binding(name: string, policy: JsonObject): JsonObject {
    const dice = this.#dice;
    const { metadata, spec } = policy as { metadata: JsonObject; spec: JsonObject };
    const refers = dice.chance(spec.paramKind === undefined ? 0.05 : 0.92);
    return {
      apiVersion: GROUP,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: metadata.name ?? '',
        validationActions: dice.chance(0.01) ? ['Deny', 'Warn'] : [...dice.pick(ACTIONS)],
        ...(refers && { paramRef: this.#paramRef(spec.paramKind) }),
        ...(dice.chance(0.35) && { matchResources: this.#match(0) }),
      },
    };
  }

  labels(): JsonObject {
    const dice = this.#dice;
    return {
      ...(dice.chance(0.6) && { env: dice.pick(ENVIRONMENTS) }),
      ...(dice.chance(0.4) && { team: dice.pick(['red', 'blue']) }),
      ...(dice.chance(0.2) && { tier: dice.pick(['front', 'back']) }),
    };
  }

  #conditions(scope: Scope): JsonObject[] {
    if (!this.#dice.chance(0.3)) return [];
    return this.#many(1, 2, (at) => ({
      name: `condition-${at}`,
      expression: this.#expressions.of('bool', { ...scope, variables: NO_VARIABLES }),
    }));
  }

  #validation(scope: Scope): JsonObject {
    const dice = this.#dice;
    const message = this.#text({ ...scope, hasAuthorizer: false });
    return {
      expression: this.#expressions.of('bool', scope),
      ...(dice.chance(0.4) && { message: dice.pick(['it is not allowed', 'say "please" <now>']) }),
      ...(dice.chance(0.5) && { messageExpression: message }),
      ...(dice.chance(0.3) && { reason: dice.pick(REASONS) }),
    };
  }

  #annotations(scope: Scope): JsonObject[] {
    if (!this.#dice.chance(0.35)) return [];
    return this.#many(1, 2, (at) => {
      const value = this.#dice.chance(0.1) ? 'null' : this.#text(scope);
      return { key: `key-${at}`, valueExpression: value };
    });
  }

  /** Returns an expression whose type is a string, also where its words have no types. */
  #text(scope: Scope): string {
    const text = this.#expressions.of('string', scope);
    return this.#dice.chance(0.02) ? text : `string(${text})`;
  }

  #paramRef(kind: unknown): JsonObject {
    const dice = this.#dice;
    const isCluster = kind === PARAM_KINDS[2];
    const selector = {
      matchLabels: { param: 'yes', ...(dice.chance(0.6) && { env: dice.pick(ENVIRONMENTS) }) },
    };
    return {
      parameterNotFoundAction: dice.pick(['Allow', 'Deny']),
      ...(dice.chance(0.6) ? { name: dice.pick(['p0', 'p1', 'p2']) } : { selector }),
      ...(dice.chance(isCluster ? 0.1 : 0.5) && { namespace: dice.pick(['a', 'b']) }),
    };
  }

  #match(leastRules: number): JsonObject {
    const dice = this.#dice;
    return {
      ...this.#maybe(0.7, () => ({ matchPolicy: dice.pick(['Equivalent', 'Exact']) })),
      ...this.#list(
        'resourceRules',
        this.#many(leastRules, 2, () => this.#rule(0.8)),
      ),
      ...this.#list('excludeResourceRules', dice.chance(0.15) ? [this.#rule(0.2)] : []),
      ...this.#maybe(0.2, () => ({ namespaceSelector: this.#selector() })),
      ...this.#maybe(0.2, () => ({ objectSelector: this.#selector() })),
    };
  }

  #rule(everything: number): JsonObject {
    const dice = this.#dice;
    const named = dice.sample(KINDS, dice.between(1, 4));
    const paths = named.map(({ resource, subresource }) =>
      subresource === '' || dice.chance(0.1) ? resource : `${resource}/${dice.pick([subresource, '*'])}`,
    );
    const resources = dice.chance(everything) ? [dice.pick(['*/*', '*/*', '*'])] : [...new Set(paths)];
    const all = (values: readonly string[]) => (dice.chance(0.6) ? ['*'] : [...new Set(values)]);
    return {
      operations: dice.chance(0.6) ? ['*'] : dice.sample(OPERATIONS, dice.between(1, 3)),
      apiGroups: all(named.map(({ group }) => group)),
      apiVersions: all(named.map(({ version }) => version)),
      resources,
      ...this.#maybe(0.15, () => ({ scope: dice.pick(['Namespaced', 'Cluster', '*']) })),
      ...this.#maybe(0.1, () => ({ resourceNames: dice.sample(['w0', 'w1', 'w2', 'w3', 'w4'], 3) })),
    };
  }

  #selector(): JsonObject {
    const dice = this.#dice;
    const operator = dice.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
    const values: JsonObject = operator.endsWith('In') ? { values: dice.sample(ENVIRONMENTS, 2) } : {};
    return dice.chance(0.5)
      ? { matchLabels: { env: dice.pick(['prod', 'dev']) } }
      : { matchExpressions: [{ key: dice.pick(['env', 'team']), operator, ...values }] };
  }

  #failurePolicy(): JsonObject | undefined {
    return this.#maybe(0.7, () => ({ failurePolicy: this.#dice.pick(['Fail', 'Ignore']) }));
  }

  #maybe<Value>(probability: number, make: () => Value): Value | undefined {
    return this.#dice.chance(probability) ? make() : undefined;
  }

  #many<Item>(least: number, most: number, make: (at: number) => Item): Item[] {
    return Array.from({ length: this.#dice.between(least, most) }, (_, at) => make(at));
  }

  #list(name: string, items: JsonObject[]): JsonObject {
    return items.length === 0 ? {} : { [name]: items };
  }
}

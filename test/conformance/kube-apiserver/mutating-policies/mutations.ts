import type { JsonObject } from '../../../../lib/json/index.ts';
import type { Dice } from '../../../integration/service/realistic/dice.ts';

/** What an expression may name besides what all may. */
export interface Scope {
  readonly variables: readonly string[];
  readonly hasParams: boolean;
}

const TEXTS = [
  '"a"',
  '"é~/x"',
  '""',
  'object.metadata.name',
  'object.kind',
  "object.metadata.?labels[?'env'].orValue('none')",
  'object.metadata.labels["team"]',
  'request.operation',
  'request.userInfo.username',
  'namespaceObject.metadata.name',
  'oldObject.metadata.name',
  'jsonpatch.escapeKey("a/b~c")',
  'string(object.spec.replicas)',
  'object.nonsense',
  'JSONPatch{op: "x"}.op',
  'Object{a: "b"}.a',
];
const NUMBERS = [
  '0',
  '1',
  '3',
  '-2',
  'object.spec.replicas',
  'object.spec.containers.size()',
  '7 / 0',
  '2.5',
];
const WRONG_CONFIGURATIONS = ['{}', 'object', 'Object.spec{}', '[Object{}]', 'dyn(Object{})'];
const WRONG_PATCHES = ['[]', '[Object{}]', 'JSONPatch{}', '[JSONPatch{op: 1}]', 'object.x', '[JSONPatch{}'];
const KEYS = ['"env"', '"team"', '"example.org/tier"', 'string(object.metadata.name)'];

/** Expressions for patches: fields of real kinds, a few of wrong types, names or places. */
export class Mutations {
  readonly #dice: Dice;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  mutation(scope: Scope): JsonObject {
    return this.#dice.chance(0.6)
      ? { patchType: 'ApplyConfiguration', applyConfiguration: { expression: this.#configuration(scope) } }
      : { patchType: 'JSONPatch', jsonPatch: { expression: this.#patches(scope) } };
  }

  bool(scope: Scope): string {
    const dice = this.#dice;
    return dice.pick([
      'true',
      'has(object.spec)',
      `${this.text(scope)} == ${this.text(scope)}`,
      `${this.text(scope)}.startsWith("a")`,
      'oldObject == null',
      "object.metadata.?labels['env'].hasValue()",
      'object.metadata.labels.exists(key, key == "env")',
    ]);
  }

  text(scope: Scope): string {
    const dice = this.#dice;
    const named = [
      ...scope.variables.map((name) => `variables.${name}`),
      ...(scope.hasParams ? ['params.data.mode', 'params.metadata.name'] : []),
    ];
    if (named.length > 0 && dice.chance(0.3)) return dice.pick(named);
    return dice.chance(0.15) ? `${dice.pick(TEXTS)} + "-" + ${dice.pick(TEXTS)}` : dice.pick(TEXTS);
  }

  #number(): string {
    return this.#dice.pick(NUMBERS);
  }

  #configuration(scope: Scope): string {
    const dice = this.#dice;
    if (dice.chance(0.02)) return dice.pick(WRONG_CONFIGURATIONS);
    if (dice.chance(0.08)) return `${this.bool(scope)} ? ${this.#object(scope)} : ${this.#object(scope)}`;
    return this.#object(scope);
  }

  #object(scope: Scope): string {
    const dice = this.#dice;
    const fields = [
      ...(dice.chance(0.55) ? [`metadata: ${this.#metadata(scope)}`] : []),
      ...(dice.chance(0.65) ? [`spec: ${this.#spec(scope)}`] : []),
      ...(dice.chance(0.15) ? [`data: ${this.#map(scope)}`] : []),
      ...(dice.chance(0.02) ? [`nothing: ${this.text(scope)}`] : []),
      ...(dice.chance(0.02) ? ['spec: Object.wrong{}'] : []),
      ...(dice.chance(0.03) ? [`?data: optional.of(${this.#map(scope)})`] : []),
      ...(dice.chance(0.03) ? ['?data: optional.none()'] : []),
    ];
    return `Object{${fields.join(', ')}}`;
  }

  #metadata(scope: Scope): string {
    const dice = this.#dice;
    const fields = [
      ...(dice.chance(0.8) ? [`labels: ${this.#map(scope)}`] : []),
      ...(dice.chance(0.3) ? [`annotations: ${this.#map(scope)}`] : []),
      ...(dice.chance(0.1) ? [`finalizers: [${this.text(scope)}]`] : []),
      ...(dice.chance(0.02) ? [`labels: Object.metadata.labels{env: ${this.text(scope)}}`] : []),
      ...(dice.chance(0.02) ? ['labels: Object.metadata.wrong{env: "x"}'] : []),
    ];
    return `Object.metadata{${[...new Map(fields.map((each) => [each.split(':')[0], each])).values()].join(', ')}}`;
  }

  #map(scope: Scope): string {
    const dice = this.#dice;
    const entries = Array.from(
      { length: dice.between(0, 2) },
      () => `${dice.pick(KEYS)}: dyn(${this.text(scope)})`,
    );
    return dice.chance(0.03) ? `{"env": ${this.#number()}}` : `{${entries.join(', ')}}`;
  }

  #spec(scope: Scope): string {
    const dice = this.#dice;
    const isTemplate = dice.chance(0.5);
    const fields = isTemplate
      ? [
          ...(dice.chance(0.5) ? [`replicas: ${this.#number()}`] : []),
          ...(dice.chance(0.6)
            ? [
                `template: Object.spec.template{${[
                  ...(dice.chance(0.3)
                    ? [`metadata: Object.spec.template.metadata{labels: ${this.#map(scope)}}`]
                    : []),
                  `spec: Object.spec.template.spec{${this.#podFields(scope, 'Object.spec.template.spec')}}`,
                ].join(', ')}}`,
              ]
            : []),
          ...(dice.chance(0.05) ? ['selector: Object.spec.selector{matchLabels: {"a": "b"}}'] : []),
          ...(dice.chance(0.1) ? [`ports: [Object.spec.ports{port: 80, name: ${this.text(scope)}}]`] : []),
          ...(dice.chance(0.05) ? ['paused: true'] : []),
        ]
      : [this.#podFields(scope, 'Object.spec')];
    return `Object.spec{${fields.filter((each) => each !== '').join(', ')}}`;
  }

  #podFields(scope: Scope, path: string): string {
    const dice = this.#dice;
    const container = (list: string) => {
      const at = `${path}.${list}`;
      const fields = [
        ...(dice.chance(0.97)
          ? [`name: ${dice.pick(['"main"', '"side"', '"other"', 'object.metadata.name'])}`]
          : []),
        ...(dice.chance(0.6) ? [`image: ${this.text(scope)}`] : []),
        ...(dice.chance(0.2) ? [`env: [${at}.env{name: "A", value: ${this.text(scope)}}]`] : []),
        ...(dice.chance(0.15)
          ? [`ports: [${at}.ports{containerPort: ${dice.pick(['80', '81'])}, protocol: "TCP"}]`]
          : []),
        ...(dice.chance(0.15) ? [`resources: ${at}.resources{limits: {"cpu": "1", "memory": "64Mi"}}`] : []),
        ...(dice.chance(0.06) ? ['args: ["a", "b"]'] : []),
        ...(dice.chance(0.03) ? [`ports: ${at}.wrong{}`] : []),
      ];
      return `${at}{${[...new Map(fields.map((each) => [each.split(':')[0], each])).values()].join(', ')}}`;
    };
    const list = (name: string) =>
      `${name}: [${Array.from({ length: dice.between(0, 2) }, () => container(name)).join(', ')}]`;
    const fields = [
      ...(dice.chance(0.7) ? [list('containers')] : []),
      ...(dice.chance(0.25) ? [list('initContainers')] : []),
      ...(dice.chance(0.15) ? [`nodeSelector: ${this.#map(scope)}`] : []),
      ...(dice.chance(0.15) ? [`serviceAccountName: ${this.text(scope)}`] : []),
      ...(dice.chance(0.1) ? ['hostNetwork: true'] : []),
      ...(dice.chance(0.06) ? [`tolerations: [${path}.tolerations{key: "a"}]`] : []),
      ...(dice.chance(0.08)
        ? [`containers: object.spec.containers.map(c, ${path}.containers{name: c.name, image: "i"})`]
        : []),
      ...(dice.chance(0.02) ? ['hostNetwork: "yes"'] : []),
      ...(dice.chance(0.05)
        ? [`securityContext: ${path}.securityContext{runAsUser: ${this.#number()}}`]
        : []),
    ];
    return [...new Map(fields.map((each) => [each.split(':')[0], each])).values()].join(', ');
  }

  #patches(scope: Scope): string {
    const dice = this.#dice;
    if (dice.chance(0.02)) return dice.pick(WRONG_PATCHES);
    const operations = Array.from({ length: dice.between(1, 3) }, () => this.#operation(scope)).join(', ');
    if (dice.chance(0.1)) return `${this.bool(scope)} ? [${operations}] : [${this.#operation(scope)}]`;
    return `[${operations}]`;
  }

  #operation(scope: Scope): string {
    const dice = this.#dice;
    const path = dice.pick([
      '"/metadata/labels/env"',
      '"/metadata/labels/" + jsonpatch.escapeKey("a/b")',
      '"/metadata/annotations"',
      '"/metadata/labels"',
      '"/data/k"',
      '"/spec/replicas"',
      '"/spec/containers/-"',
      '"/spec/containers/0/image"',
      '"/spec/template/spec/containers/0"',
      '"/spec/template/spec/containers/5/image"',
      '"/spec/nodeSelector"',
      '"/spec/nothing"',
      '"nowhere"',
    ]);
    const op = dice.pick(['add', 'add', 'add', 'add', 'replace', 'remove', 'test', 'copy', 'move', 'spoil']);
    if (op === 'remove') return `JSONPatch{op: "remove", path: ${path}}`;
    if (op === 'copy' || op === 'move') {
      return `JSONPatch{op: "${op}", from: ${dice.pick(['"/metadata/labels/env"', '"/metadata/name"', '"/data/k"'])}, path: ${path}}`;
    }
    return `JSONPatch{op: "${op}", path: ${path}${dice.chance(0.03) ? '' : `, value: ${this.#value(scope, path)}`}}`;
  }

  #value(scope: Scope, path: string): string {
    const dice = this.#dice;
    if (dice.chance(0.1)) return this.text(scope);
    if (/labels"|annotations|nodeSelector/.test(path)) return this.#map(scope);
    if (path.includes('replicas')) return this.#number();
    if (/containers\/(-|0)"$/.test(path)) {
      const type = path.includes('template')
        ? 'Object.spec.template.spec.containers'
        : 'Object.spec.containers';
      return dice.pick([
        `${type}{name: "patched", image: ${this.text(scope)}}`,
        `${type}{name: "patched", ports: [${type}.ports{containerPort: 80}], args: ["a"]}`,
        `${type}{name: "patched", env: [${type}.wrong{name: "a"}]}`,
        '{"name": "patched", "image": "i"}',
        `[${type}{name: "x"}]`,
      ]);
    }
    return dice.pick([
      this.text(scope),
      this.text(scope),
      this.#number(),
      'null',
      'true',
      '["a"]',
      '{"a": {"b": "c"}}',
    ]);
  }
}

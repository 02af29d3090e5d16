import type { Environment } from '@marcbachmann/cel-js';
import type { Patterns } from '../patterns.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema, type ValidationRule } from '../schema.ts';
import { Budget } from './budget.ts';
import type { CelLibrary } from './cel-library.ts';
import { type CelType, CelTypes } from './cel-types.ts';
import { type CompiledExpression, compileExpression } from './compile-expression.ts';
import { registerFunctions } from './functions.ts';

/** The rules of a structural schema. Each is compiled on first use. */
export class Rules {
  readonly budget = new Budget();
  readonly #environment: Environment;
  readonly #patterns: Patterns;
  readonly #library: CelLibrary;
  readonly #types: CelTypes;
  readonly #scopes = new Map<Schema, Scopes>();
  /** The value of an optional `oldSelf` that is absent. */
  readonly #none: unknown;
  readonly #some: (value: unknown) => unknown;

  constructor(root: Schema, library: CelLibrary, patterns: Patterns) {
    this.#library = library;
    this.#patterns = patterns;
    this.#environment = new library.Environment({ enableOptionalTypes: true, limits: LIMITS });
    registerFunctions(this.#environment, patterns, this.budget);
    this.#types = new CelTypes(this.#environment, this.budget);
    for (const schema of schemasWithRules(root)) this.#types.of(schema, schema === root);
    const optional = this.#environment.clone().registerVariable('self', 'dyn');
    this.#none = optional.evaluate('optional.none()');
    this.#some = (self) => optional.evaluate('optional.of(self)', { self });
  }

  /** Resets the budget to this number of units, before the rules of another object are evaluated. */
  refill(units: number): void {
    this.budget.refill(units);
    this.#patterns.refill();
  }

  /** Returns the type that rules see for a schema of the tree; undefined if rules do not see its values. */
  typeOf(schema: Schema): CelType | undefined {
    return this.#types.of(schema);
  }

  /**
   * Compiles a rule.
   *
   * @throws {RuleError} the rule is invalid
   * @throws {WrongResultError} its result is not a boolean
   */
  compile(schema: Schema, rule: ValidationRule): CompiledExpression {
    const otherwise = 'cel expression must evaluate to a bool';
    return this.#compile(schema, rule, { text: rule.rule ?? '', type: 'bool', otherwise });
  }

  /** Compiles the expression of the message; throws like {@link compile}. */
  compileMessage(schema: Schema, rule: ValidationRule): CompiledExpression {
    const otherwise = 'messageExpression must evaluate to a string';
    return this.#compile(schema, rule, { text: rule.messageExpression ?? '', type: 'string', otherwise });
  }

  /** Returns the value of `oldSelf` for a rule. */
  oldSelf(rule: ValidationRule, converted: unknown): unknown {
    if (rule.optionalOldSelf !== true) return converted;
    return converted === undefined ? this.#none : this.#some(converted);
  }

  #compile(
    schema: Schema,
    { optionalOldSelf = false }: ValidationRule,
    { text, ...result }: { text: string; type: 'bool' | 'string'; otherwise: string },
  ): CompiledExpression {
    const scopes = this.#scopesOf(schema);
    const scope = optionalOldSelf ? scopes.optional : scopes.plain;
    const known = scope.expressions.get(text);
    if (known !== undefined) return known;
    const compiled = compileExpression(this.#library, scope.environment, {
      text,
      ...result,
      budget: this.budget,
    });
    scope.expressions.set(text, compiled);
    return compiled;
  }

  #scopesOf(schema: Schema): Scopes {
    const known = this.#scopes.get(schema);
    if (known !== undefined) return known;
    const type = this.#types.of(schema)?.name ?? 'dyn';
    const scope = (oldType: string): Scope => ({
      environment: this.#environment
        .clone()
        .registerVariable('self', type)
        .registerVariable('oldSelf', oldType),
      expressions: new Map(),
    });
    const scopes = { plain: scope(type), optional: scope(`optional<${type}>`) };
    this.#scopes.set(schema, scopes);
    return scopes;
  }
}

interface Scope {
  readonly environment: Environment;
  readonly expressions: Map<string, CompiledExpression>;
}

interface Scopes {
  readonly plain: Scope;
  readonly optional: Scope;
}

/** The limits for one expression. */
const LIMITS = { maxAstNodes: 2000, maxDepth: 100, maxListElements: 200, maxMapEntries: 200 };

/** Returns every schema of a tree that has rules. */
export function schemasWithRules(schema: Schema): Schema[] {
  const items = itemsOf(schema);
  const additional = additionalOf(schema);
  const own = (schema['x-kubernetes-validations'] ?? []).length > 0 ? [schema] : [];
  return [
    ...own,
    ...(items === undefined ? [] : schemasWithRules(items)),
    ...(additional === undefined ? [] : schemasWithRules(additional)),
    ...[...propertiesOf(schema).values()].flatMap(schemasWithRules),
  ];
}

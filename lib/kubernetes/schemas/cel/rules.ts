import type { Checked, Environment, Library, Program, Regexes, Shape } from '../../../cel/index.ts';
import type { Patterns } from '../patterns.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema, type ValidationRule } from '../schema.ts';
import { type Cel, Shapes } from './shapes.ts';

/** The expressions of rules, or of the messages that rules compute. */
export type Purpose = 'rule' | 'message';

/** A compiled expression. */
export interface Compiled {
  readonly checked: Checked;
  readonly program: Program;
  readonly usesOldSelf: boolean;
}

/** Thrown when an expression does not compile, with upstream's message for its place. */
export class CompilationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CompilationError';
  }
}

const WORDS = {
  rule: { type: 'bool', before: '', wrong: 'cel expression must evaluate to a bool', program: 'program' },
  message: {
    type: 'string',
    before: 'messageExpression ',
    wrong: 'messageExpression must evaluate to a string',
    program: 'messageExpression',
  },
} as const;

interface RuleParts {
  readonly patterns: Patterns;
  readonly now: (() => number) | undefined;
  readonly libraries: readonly Library[] | undefined;
}

/** The library for expressions of definitions that are written. */
export type Definitions = typeof import('../../../cel/definitions.ts');

/** An expression of a definition. */
export interface Expression {
  readonly schema: Schema;
  readonly rule: ValidationRule;
  readonly purpose: Purpose;
}

interface Compilation extends Pick<Expression, 'rule' | 'purpose'> {
  readonly environment: Environment;
  readonly check: (text: string) => Checked;
  /** Whether an expression of a dynamic value may have any type. */
  readonly isLenient?: boolean;
}

/** The rules of a structural schema. Each is compiled on first use. */
export class Rules {
  readonly cel: Cel;
  readonly #libraries: readonly Library[] | undefined;
  readonly #shapes: Shapes;
  readonly #patterns: Patterns;
  readonly #regexes: Regexes;
  /** The time in milliseconds, if there is a clock. */
  readonly now: (() => number) | undefined;
  readonly #stored = new Map<Schema, Map<string, Compiled>>();

  constructor(root: Schema, cel: Cel, { patterns, now, libraries }: RuleParts) {
    this.cel = cel;
    this.#libraries = libraries;
    this.now = now;
    this.#shapes = new Shapes(root, cel);
    this.#patterns = patterns;
    this.#regexes = (pattern) => patterns.regexOf(pattern);
  }

  /** Resets the work limit of patterns, before the rules of another object are evaluated. */
  refill(): void {
    this.#patterns.refill();
  }

  /** Returns how rules see the values of a schema of the tree. */
  shapeOf(schema: Schema): Shape | undefined {
    return this.#shapes.of(schema);
  }

  /**
   * Compiles an expression of a definition that is written.
   *
   * @param isKept whether the stored definition has the same expression, which may then use all functions
   * @throws {CompilationError}
   */
  compileNew({ schema, rule, purpose }: Expression, definitions: Definitions, isKept: boolean): Compiled {
    const environment = this.#environment(schema, rule, isKept ? 'stored' : 'new');
    const check = (text: string) => definitions.checkNew(text, environment, this.#regexes);
    return this.#compile({ rule, purpose, environment, check });
  }

  /**
   * Compiles an expression of a stored definition. An older Winnow did not check types as Kubernetes does: what it
   * accepted is checked with dynamic values, so that it keeps working.
   *
   * @throws {CompilationError}
   */
  compileStored(schema: Schema, rule: ValidationRule, purpose: Purpose): Compiled {
    const key = `${purpose} ${rule.optionalOldSelf === true} ${textOf(rule, purpose)}`;
    const known = this.#stored.get(schema) ?? new Map<string, Compiled>();
    this.#stored.set(schema, known);
    const compiled = known.get(key) ?? this.#lenient(schema, rule, purpose);
    known.set(key, compiled);
    return compiled;
  }

  #lenient(schema: Schema, rule: ValidationRule, purpose: Purpose): Compiled {
    const environment = this.#environment(schema, rule, 'stored');
    try {
      return this.#compileIn(environment, rule, purpose);
    } catch (error) {
      if (!(error instanceof CompilationError)) throw error;
      const { DYN } = this.cel.types;
      const dynamic = [...environment.variables.keys()].map((name) => [name, { name, type: DYN }] as const);
      try {
        return this.#compileIn({ ...environment, variables: new Map(dynamic) }, rule, purpose);
      } catch {
        throw error;
      }
    }
  }

  #compileIn(environment: Environment, rule: ValidationRule, purpose: Purpose): Compiled {
    return this.#compile({
      rule,
      purpose,
      environment,
      check: (text) => this.cel.checkStored(text, environment),
      isLenient: true,
    });
  }

  #environment(
    schema: Schema,
    { optionalOldSelf = false }: ValidationRule,
    version: 'new' | 'stored',
  ): Environment {
    const { types, environmentOf } = this.cel;
    const base = environmentOf(version, this.#libraries);
    const type = this.#shapes.of(schema)?.type ?? types.DYN;
    const self = { name: 'self', type };
    const oldSelf = { name: 'oldSelf', type: optionalOldSelf ? types.optionalOf(type) : type };
    return {
      ...base,
      variables: new Map([
        [self.name, self],
        [oldSelf.name, oldSelf],
      ]),
      structs: this.#shapes.structs,
      typeNames: new Map([...base.typeNames, ['timestamp', types.TIMESTAMP], ['duration', types.DURATION]]),
    };
  }

  #compile(compilation: Compilation): Compiled {
    const { purpose, environment, isLenient = false } = compilation;
    const words = WORDS[purpose];
    const checked = this.#checked(compilation, words.before);
    const { kind } = checked.type;
    const isDynamic = isLenient && kind === 'dyn' && environment.variables.get('self')?.type.kind === 'dyn';
    if (kind !== words.type && !isDynamic) throw new CompilationError(words.wrong);
    try {
      const program = this.cel.compile(checked, { ...environment, regexes: this.#regexes });
      return { checked, program, usesOldSelf: usesOldSelf(checked) };
    } catch (error) {
      if (!(error instanceof this.cel.ProgramError)) throw error;
      throw new CompilationError(`${words.program} instantiation failed: ${error.message}`);
    }
  }

  #checked({ rule, purpose, check }: Compilation, before: string): Checked {
    try {
      return check(textOf(rule, purpose));
    } catch (error) {
      if (!(error instanceof this.cel.ExpressionError)) throw error;
      throw new CompilationError(`${before}compilation failed: ${error.message}`);
    }
  }
}

function textOf({ rule = '', messageExpression = '' }: ValidationRule, purpose: Purpose): string {
  return purpose === 'rule' ? rule : messageExpression;
}

function usesOldSelf({ references }: Checked): boolean {
  return [...references.values()].some(
    (reference) => reference.kind === 'identifier' && reference.name === 'oldSelf',
  );
}

/** Returns every schema of a tree that has rules. */
function schemasWithRules(schema: Schema): Schema[] {
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

/** What compiling the rules of a schema needs. */
export interface RuleOptions {
  readonly patterns: Patterns;
  readonly now?: (() => number) | undefined;
  /** Whether the definition is written, so that its rules may name any function. */
  readonly isNew?: boolean;
}

/**
 * Returns the rules of a schema; undefined if it has none. A process loads the library for expressions with the first
 * rule that it meets, and Kubernetes' own functions with the first rule that may use them.
 */
export async function rulesOf(
  schema: Schema,
  { patterns, now, isNew = false }: RuleOptions,
): Promise<Rules | undefined> {
  const found = schemasWithRules(schema).flatMap((each) => each['x-kubernetes-validations'] ?? []);
  if (found.length === 0) return undefined;
  const cel = await import('../../../cel/index.ts');
  const texts = found.flatMap(({ rule = '', messageExpression = '' }) => [rule, messageExpression]);
  const needed = isNew || texts.some((text) => cel.usesLibraries(text));
  const libraries = needed ? (await import('../../../cel/libraries/index.ts')).LIBRARIES : undefined;
  return new Rules(schema, cel, { patterns, now, libraries });
}

import type { Checked, Environment, Program, Regexes, Shape } from '../../../cel/index.ts';
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
}

/** The rules of a structural schema. Each is compiled on first use. */
export class Rules {
  readonly cel: Cel;
  readonly #shapes: Shapes;
  readonly #patterns: Patterns;
  readonly #regexes: Regexes;
  /** The time in milliseconds, if there is a clock. */
  readonly now: (() => number) | undefined;
  readonly #stored = new Map<Schema, Map<string, Compiled>>();

  constructor(root: Schema, cel: Cel, { patterns, now }: RuleParts) {
    this.cel = cel;
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

  /** Compiles an expression of a definition that is written. @throws {CompilationError} */
  compileNew(schema: Schema, rule: ValidationRule, purpose: Purpose): Compiled {
    return this.#compile(rule, purpose, this.#environment(schema, rule, 'new'));
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
      return this.#compile(rule, purpose, environment);
    } catch (error) {
      if (!(error instanceof CompilationError)) throw error;
      const { DYN } = this.cel.types;
      const dynamic = [...environment.variables.keys()].map((name) => [name, { name, type: DYN }] as const);
      try {
        return this.#compile(rule, purpose, { ...environment, variables: new Map(dynamic) }, true);
      } catch {
        throw error;
      }
    }
  }

  #environment(
    schema: Schema,
    { optionalOldSelf = false }: ValidationRule,
    version: 'new' | 'stored',
  ): Environment {
    const { types, environmentOf } = this.cel;
    const base = environmentOf(version);
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

  #compile(rule: ValidationRule, purpose: Purpose, environment: Environment, isDynamic = false): Compiled {
    const words = WORDS[purpose];
    const checked = this.#checked(textOf(rule, purpose), environment, words.before);
    const { kind } = checked.type;
    if (kind !== words.type && !(isDynamic && kind === 'dyn')) throw new CompilationError(words.wrong);
    try {
      const program = this.cel.compile(checked, { functions: environment.functions, regexes: this.#regexes });
      return { checked, program, usesOldSelf: usesOldSelf(checked) };
    } catch (error) {
      if (!(error instanceof this.cel.ProgramError)) throw error;
      throw new CompilationError(`${words.program} instantiation failed: ${error.message}`);
    }
  }

  #checked(text: string, environment: Environment, before: string): Checked {
    try {
      return this.cel.checkExpression(text, environment, this.#regexes);
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

/**
 * Returns the rules of a schema; undefined if it has none. A process loads the library for expressions with the first
 * rule that it meets.
 */
export async function rulesOf(
  schema: Schema,
  patterns: Patterns,
  now?: () => number,
): Promise<Rules | undefined> {
  if (schemasWithRules(schema).length === 0) return undefined;
  return new Rules(schema, await import('../../../cel/index.ts'), { patterns, now });
}

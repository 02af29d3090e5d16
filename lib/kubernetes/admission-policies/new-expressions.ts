import { checkNew } from '../../cel/definitions.ts';
import { withPatchTypes } from '../../cel/patches/index.ts';
import { type Compiled, compileExpression, type Returns, typeOfCompiled } from './compile.ts';
import { Environments, type Names } from './environments.ts';
import type { Expressions } from './expressions.ts';

/** An expression of a policy or webhook that is written. */
export interface NewExpression {
  readonly text: string;
  readonly returns: Returns;
  /** Whether the stored object has this expression already: it may use functions that a new one may not. */
  readonly isStored: boolean;
  /** False for the expressions of messages. */
  readonly hasAuthorizer?: boolean;
  /** True for the expressions of mutations. */
  readonly hasPatchTypes?: boolean;
}

/** The most characters of the errors of one policy or webhook. An error quotes a line for each of up to 100 issues. */
const MOST_CHARACTERS = 200_000;

/**
 * Checks the expressions of one policy or webhook that is written. Loaded apart, because deciding does not need it. It
 * follows k8s.io/kubernetes/pkg/apis/admissionregistration/validation, which checks the cost of none.
 */
export class NewExpressions {
  readonly #environments: Environments;
  readonly #expressions: Expressions;
  #characters = 0;

  constructor(names: Names, expressions: Expressions) {
    this.#environments = new Environments(names);
    this.#expressions = expressions;
    expressions.refill();
  }

  /** Returns why an expression does not compile; undefined if it does. */
  errorOf(expression: NewExpression): string | undefined {
    return this.#errorIn(this.#compile(expression));
  }

  /** Checks a variable and declares it for the expressions that follow. */
  variableError(name: string, text: string, isStored: boolean): string | undefined {
    const compiled = this.#compile({ text, returns: undefined, isStored });
    this.#environments.declare(name, typeOfCompiled(compiled));
    return this.#errorIn(compiled);
  }

  #errorIn(compiled: Compiled): string | undefined {
    if (!('error' in compiled)) return undefined;
    this.#characters += compiled.error.length;
    return compiled.error;
  }

  #compile({
    text,
    returns,
    isStored,
    hasAuthorizer = true,
    hasPatchTypes = false,
  }: NewExpression): Compiled {
    if (this.#characters > MOST_CHARACTERS) {
      return { error: 'not compiled, because the errors before it are too long: correct them first' };
    }
    const named = this.#environments.of(isStored ? 'stored' : 'new', hasAuthorizer);
    const environment = hasPatchTypes ? withPatchTypes(named) : named;
    const { regexes } = this.#expressions;
    const check = (each: string) => checkNew(each, environment, regexes);
    return compileExpression(text, { environment, regexes, returns, check });
  }
}

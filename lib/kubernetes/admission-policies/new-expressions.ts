import { checkNew } from '../../cel/definitions.ts';
import { compileExpression, type Returns, typeOfCompiled } from './compile.ts';
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
}

/**
 * Checks the expressions of one policy or webhook that is written. Loaded apart, because deciding does not need it. It
 * follows k8s.io/kubernetes/pkg/apis/admissionregistration/validation, which checks the cost of none.
 */
export class NewExpressions {
  readonly #environments: Environments;
  readonly #expressions: Expressions;

  constructor(names: Names, expressions: Expressions) {
    this.#environments = new Environments(names);
    this.#expressions = expressions;
  }

  /** Returns why an expression does not compile; undefined if it does. */
  errorOf(expression: NewExpression): string | undefined {
    const compiled = this.#compile(expression);
    return 'error' in compiled ? compiled.error : undefined;
  }

  /** Checks a variable and declares it for the expressions that follow. */
  variableError(name: string, text: string, isStored: boolean): string | undefined {
    const compiled = this.#compile({ text, returns: undefined, isStored });
    this.#environments.declare(name, typeOfCompiled(compiled));
    return 'error' in compiled ? compiled.error : undefined;
  }

  #compile({ text, returns, isStored, hasAuthorizer = true }: NewExpression) {
    const environment = this.#environments.of(isStored ? 'stored' : 'new', hasAuthorizer);
    const { regexes, refill } = this.#expressions;
    refill();
    const check = (each: string) => checkNew(each, environment, regexes);
    return compileExpression(text, { environment, regexes, returns, check });
  }
}

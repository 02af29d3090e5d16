import { checkStored, type Environment } from '../../cel/index.ts';
import { type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import { type Compiled, compileExpression, type Returns, typeOfCompiled } from './compile.ts';
import { Environments } from './environments.ts';
import type { Expression } from './evaluation.ts';
import type { Expressions } from './expressions.ts';
import { isThere, objectsOf, textOf } from './reading.ts';

/** A validation with what its failure says. */
export interface Validation extends Expression {
  readonly message: string;
  readonly reason: string;
}

/** The value of an audit annotation. */
export interface Annotation extends Expression {
  readonly key: string;
}

/**
 * A ValidatingAdmissionPolicy or a MutatingAdmissionPolicy whose expressions are compiled on first use. It can decide
 * any number of writes.
 */
export class CompiledPolicy {
  readonly object: JsonObject;
  readonly name: string;
  readonly spec: JsonObject;
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly expressions: Expressions;
  readonly #environments: Environments;
  #variables: ReadonlyMap<string, Compiled> | undefined;
  #conditions: readonly Expression[] | undefined;
  #validations: readonly Validation[] | undefined;
  #messages: readonly (Expression | undefined)[] | undefined;
  #annotations: readonly Annotation[] | undefined;

  constructor(object: JsonObject, expressions: Expressions) {
    this.object = object;
    this.name = textOf(metadataOf(object).name);
    this.spec = objectAt(object.spec);
    this.failurePolicy = this.spec.failurePolicy === 'Ignore' ? 'Ignore' : 'Fail';
    this.expressions = expressions;
    const hasParams = isThere(this.spec.paramKind);
    this.#environments = new Environments({ hasParams, hasVariables: true });
  }

  /** The policy's variables by name. */
  get variables(): ReadonlyMap<string, Compiled> {
    this.#variables ??= this.#compileVariables();
    return this.#variables;
  }

  get conditions(): readonly Expression[] {
    this.#conditions ??= objectsOf(this.spec.matchConditions).map(({ expression }) =>
      this.#compile(textOf(expression), ['bool']),
    );
    return this.#conditions;
  }

  get validations(): readonly Validation[] {
    this.#validations ??= objectsOf(this.spec.validations).map(({ expression, message, reason }) => ({
      ...this.#compile(textOf(expression), ['bool']),
      message: textOf(message),
      reason: textOf(reason),
    }));
    return this.#validations;
  }

  /** The expressions of messages, by the position of their validations. */
  get messages(): readonly (Expression | undefined)[] {
    this.#messages ??= objectsOf(this.spec.validations).map(({ messageExpression }) => {
      const text = textOf(messageExpression);
      return text === '' ? undefined : this.#compile(text, ['string'], false);
    });
    return this.#messages;
  }

  get annotations(): readonly Annotation[] {
    this.#annotations ??= objectsOf(this.spec.auditAnnotations).map(({ key, valueExpression }) => ({
      ...this.#compile(textOf(valueExpression), ['string', 'null_type']),
      key: textOf(key),
    }));
    return this.#annotations;
  }

  /** The environment of an expression, which sees all variables. */
  environment(hasAuthorizer: boolean): Environment {
    this.#variables ??= this.#compileVariables();
    return this.#environments.of('stored', hasAuthorizer);
  }

  #compileVariables(): ReadonlyMap<string, Compiled> {
    const variables = new Map<string, Compiled>();
    for (const { name, expression } of objectsOf(this.spec.variables)) {
      const { compiled } = this.compiled(
        textOf(expression),
        undefined,
        this.#environments.of('stored', true),
      );
      variables.set(textOf(name), compiled);
      this.#environments.declare(textOf(name), typeOfCompiled(compiled));
    }
    return variables;
  }

  #compile(text: string, returns: Returns, hasAuthorizer = true): Expression {
    return this.compiled(text, returns, this.environment(hasAuthorizer));
  }

  /** Compiles an expression in an environment of this policy. */
  compiled(text: string, returns: Returns, environment: Environment): Expression {
    const { regexes, refill } = this.expressions;
    // A stored expression compiles even if other expressions have used up the work limit of patterns.
    refill();
    const check = (each: string) => checkStored(each, environment);
    return { text, compiled: compileExpression(text, { environment, regexes, returns, check }) };
  }
}

/** Returns a stored policy in its compiled form. An expression that does not compile is an error of each decision. */
export function compilePolicy(policy: JsonObject, expressions: Expressions): CompiledPolicy {
  return new CompiledPolicy(policy, expressions);
}

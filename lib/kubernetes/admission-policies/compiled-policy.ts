import type { JsonObject } from '../../json/index.ts';
import type { Expressions } from './expressions.ts';

/** A ValidatingAdmissionPolicy whose expressions are compiled on first use. It can decide any number of writes. */
export class CompiledPolicy {
  readonly object: JsonObject;
  readonly expressions: Expressions;

  constructor(object: JsonObject, expressions: Expressions) {
    this.object = object;
    this.expressions = expressions;
  }
}

/** Returns a stored policy in its compiled form. An expression that does not compile is an error of each decision. */
export function compilePolicy(policy: JsonObject, expressions: Expressions): CompiledPolicy {
  return new CompiledPolicy(policy, expressions);
}

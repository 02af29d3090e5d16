import { TimeExceededError } from '../../../cel/index.ts';
import { type JsonObject, jsonEquals, metadataOf } from '../../../json/index.ts';
import type { GroupVersionKind } from '../../admission-match/index.ts';
import type { Shape } from '../../apply/index.ts';
import { activationOf } from '../activation.ts';
import type { CompiledPolicy } from '../compiled-policy.ts';
import { BUDGET, CONDITIONS_BUDGET, Evaluation, OutOfBudgetError } from '../evaluation.ts';
import { conditionsMatch } from '../match-conditions.ts';
import { paramsOf } from '../params-of.ts';
import { textOf } from '../reading.ts';
import { namespaceOf } from '../request.ts';
import { type BindingInvocation, ConfigurationError, type Invocation, type Judged } from '../types.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { PatchError, type PatchKind } from './patch-error.ts';
import { applyConfiguration, patchJson } from './patch-object.ts';
import { type Failure, PoliciesFailedError } from './policies-failed-error.ts';

/** What policies change. */
export interface Mutating extends Judged {
  /** Returns the shape of a kind's objects. */
  readonly shapeOf: (kind: GroupVersionKind) => Shape;
  /**
   * Converts an object back to the kind of the request.
   *
   * @throws {ConfigurationError} it cannot be converted
   */
  readonly back: (object: JsonObject, kind: GroupVersionKind) => JsonObject;
  /**
   * Decodes a changed object, and sets its defaults. Its other errors end the write, whatever the `failurePolicy`.
   *
   * @throws {PatchError} the object is none of the kind
   */
  readonly complete: (object: JsonObject, kind: PatchKind) => Promise<JsonObject>;
}

/** An object after a pass over the policies. */
export interface Changed {
  readonly object: JsonObject;
  /** Whether a mutation had a result, even if it changed nothing: then the other rules are asked once more. */
  readonly isPatched: boolean;
}

/** The most characters of a failure's own text, which may quote values of the object. */
const MOST_CHARACTERS = 1_000;
/** The most failures that an error tells. */
const MOST_FAILURES = 50;
/** The longest time of all policies for one pass, where there is a clock. They block all requests of a process. */
const MOST_MILLISECONDS = 2_000;

/**
 * Applies mutating policies to one write, in up to two passes. The second pass applies those with `reinvocationPolicy:
 * IfNeeded` again. Follows dispatcher.go of k8s.io/apiserver/pkg/admission/plugin/policy/mutating.
 */
export class Mutator {
  #passes = 0;
  /** The applied invocations that the next change lets apply again. */
  #applied = new Set<string>();
  /** The invocations of the second pass. */
  readonly #again = new Set<string>();
  #last: JsonObject | undefined;

  /**
   * Applies the policies to the object of `mutating.attributes`.
   *
   * @throws {PoliciesFailedError}
   * @throws {TimeExceededError} an expression takes too long; this says nothing about the write
   */
  async pass(invocations: readonly Invocation[], mutating: Mutating): Promise<Changed> {
    for (const { refill } of new Set(invocations.map(({ policy }) => policy.expressions))) refill();
    const { object } = mutating.attributes;
    if (object === undefined) throw new Error('a DELETE has no object to change');
    this.#passes += 1;
    if (this.#passes > 1 && !jsonEquals(this.#last ?? null, object)) this.#applyAgain();
    const pass = new Pass(object, mutating);
    const bound = invocations.flatMap((invocation) => pass.prepared(invocation));
    for (const each of bound) {
      const before = pass.object;
      const isApplied = await pass.run(each, () => this.#passes === 1 || this.#again.has(keyOf(each)));
      if (!isApplied) continue;
      if (!jsonEquals(before, pass.object)) this.#applyAgain();
      if (each.invocation.policy.spec.reinvocationPolicy === 'IfNeeded') this.#applied.add(keyOf(each));
    }
    if (pass.isPatched) this.#applyAgain();
    pass.refuse();
    this.#last = pass.object;
    return { object: pass.object, isPatched: pass.isPatched };
  }

  #applyAgain(): void {
    for (const key of this.#applied) this.#again.add(key);
    this.#applied = new Set();
  }
}

/** A policy with a binding and one of its parameters. */
interface Bound {
  readonly invocation: BindingInvocation;
  readonly params: JsonObject | undefined;
}

function keyOf({ invocation: { policy, binding }, params }: Bound): string {
  const { namespace = '', name = '' } = params === undefined ? {} : metadataOf(params);
  return [policy.name, metadataOf(binding).name, namespace, name].join('/');
}

class Pass {
  object: JsonObject;
  isPatched = false;
  readonly #mutating: Mutating;
  readonly #began: number;
  readonly #misconfigured: Failure[] = [];
  readonly #failed: Failure[] = [];

  constructor(object: JsonObject, mutating: Mutating) {
    this.object = object;
    this.#mutating = mutating;
    this.#began = mutating.now?.() ?? 0;
  }

  /** @throws {PoliciesFailedError} errors of the configuration come first, as upstream */
  refuse(): void {
    const failures = [...this.#misconfigured, ...this.#failed];
    if (failures.length > 0) throw new PoliciesFailedError(failures.slice(0, MOST_FAILURES));
  }

  /** Returns an invocation once for each of its parameters; none if its configuration is wrong. */
  prepared(invocation: Invocation): readonly Bound[] {
    if ('error' in invocation) {
      const what = invocation.binding === undefined ? 'policy' : 'binding';
      this.#misconfigure(
        invocation.policy,
        invocation.binding,
        `failed to configure ${what}: ${invocation.error}`,
      );
      return [];
    }
    try {
      return paramsOf(invocation, this.#mutating).map((params) => ({ invocation, params }));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      this.#misconfigure(
        invocation.policy,
        invocation.binding,
        `failed to configure binding: ${error.message}`,
      );
      return [];
    }
  }

  /**
   * Applies the mutations of a policy, if its conditions match.
   *
   * @returns whether they were applied, with or without a result
   */
  async run(bound: Bound, isWanted: () => boolean): Promise<boolean> {
    this.#refuseSlow();
    const { invocation } = bound;
    const { policy, binding } = invocation;
    const fail = (message: string) => {
      if (policy.failurePolicy === 'Fail') this.#failed.push(failureOf(policy, binding, message, 'Invalid'));
    };
    try {
      const matched = this.#matches(bound);
      if ('error' in matched) fail(matched.error);
      if (!('matches' in matched && matched.matches) || !isWanted()) return false;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      this.#misconfigure(policy, undefined, `failed to configure policy: ${error.message}`);
      return false;
    }
    for (const mutation of mutationsOf(policy)) {
      this.#refuseSlow();
      try {
        this.object = await this.#applied(bound, mutation);
        this.isPatched = true;
      } catch (error) {
        if (!(error instanceof PatchError || error instanceof ConfigurationError)) throw error;
        fail(error.message);
      }
    }
    return true;
  }

  #matches(bound: Bound) {
    const { policy, matchedAs } = bound.invocation;
    if (policy.conditions.length === 0) return { matches: true };
    const { attributes } = this.#mutating;
    // Like upstream: conditions see no namespace, and the resource of the request.
    const asked = { kind: matchedAs.kind, resource: attributes.resource };
    return conditionsMatch({
      conditions: policy.conditions,
      failurePolicy: policy.failurePolicy,
      evaluation: this.#evaluation(bound, CONDITIONS_BUDGET, { matchedAs: asked, namespaceObject: null }),
    });
  }

  #evaluation(
    bound: Bound,
    budget: number,
    { matchedAs, namespaceObject }: Pick<Parameters<typeof activationOf>[0], 'matchedAs' | 'namespaceObject'>,
  ): Evaluation {
    const { invocation, params } = bound;
    const { attributes, authorizer, now } = this.#mutating;
    const { oldObject } = attributes;
    const activation = activationOf({
      attributes,
      object: this.#shown(this.object, bound),
      oldObject: oldObject && this.#shown(oldObject, bound),
      matchedAs,
      namespaceObject,
      params,
      authorizer,
    });
    return new Evaluation({ activation, variables: invocation.policy.variables, budget, now });
  }

  /** Returns an object in the version that the policy matched. @throws {ConfigurationError} */
  #shown(object: JsonObject, { invocation: { matchedAs } }: Bound): JsonObject {
    return this.#isOwn(matchedAs.kind) ? object : this.#mutating.convert(object, matchedAs.kind);
  }

  #isOwn({ group, version, kind }: GroupVersionKind): boolean {
    const own = this.#mutating.attributes.kind;
    return own.group === group && own.version === version && own.kind === kind;
  }

  /** @throws {PatchError | ConfigurationError} */
  async #applied(bound: Bound, mutation: Mutation): Promise<JsonObject> {
    const { compiled } = mutation;
    if ('error' in compiled) throw new PatchError(compiled.error);
    const { matchedAs } = bound.invocation;
    const { shapeOf, back, complete, now } = this.#mutating;
    const value = this.#value(bound, mutation);
    const object = this.#shown(this.object, bound);
    const patched =
      mutation.kind === 'JSONPatch'
        ? patchJson(value, { object, now })
        : applyConfiguration(value, { object, shape: shapeOf(matchedAs.kind), now });
    if (patched === object) return this.object;
    return complete(this.#isOwn(matchedAs.kind) ? patched : back(patched, matchedAs.kind), mutation.kind);
  }

  #value(bound: Bound, mutation: Mutation) {
    const { matchedAs } = bound.invocation;
    const evaluation = this.#evaluation(bound, BUDGET, { matchedAs, namespaceObject: this.#namespace() });
    try {
      const result = evaluation.evaluate(mutation);
      if ('error' in result) throw new PatchError(result.error);
      return result.value;
    } catch (error) {
      throw error instanceof OutOfBudgetError ? new PatchError(error.message) : error;
    }
  }

  #namespace() {
    const { attributes, namespaceObject } = this.#mutating;
    const { group, version, kind } = attributes.kind;
    const isNamespace = group === '' && version === 'v1' && kind === 'Namespace';
    return namespaceOf(isNamespace || attributes.namespace === '' ? undefined : namespaceObject);
  }

  /** An error of the configuration denies the write, unless the policy's `failurePolicy` is `Ignore`. */
  #misconfigure(policy: CompiledPolicy, binding: JsonObject | undefined, message: string): void {
    if (policy.failurePolicy === 'Fail') {
      this.#misconfigured.push(failureOf(policy, binding, message, 'Forbidden'));
    }
  }

  /** @throws {TimeExceededError} the policies took too long so far */
  #refuseSlow(): void {
    const { now } = this.#mutating;
    if (now === undefined || now() - this.#began <= MOST_MILLISECONDS) return;
    throw new TimeExceededError(MOST_MILLISECONDS);
  }
}

function failureOf(
  { name }: CompiledPolicy,
  binding: JsonObject | undefined,
  message: string,
  reason: Failure['reason'],
): Failure {
  const text = message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS)}…` : message;
  const named =
    binding === undefined
      ? `policy ${JSON.stringify(name)}`
      : `policy '${name}' with binding '${textOf(metadataOf(binding).name)}'`;
  return { message: `${named} denied request: ${text}`, reason };
}

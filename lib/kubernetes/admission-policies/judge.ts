import { TimeExceededError } from '../../cel/index.ts';
import { type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import { type Decision, decide } from './decide.ts';
import { paramsOf } from './params-of.ts';
import { textOf, textsOf } from './reading.ts';
import { namespaceOf } from './request.ts';
import {
  type BindingInvocation,
  ConfigurationError,
  type Denial,
  type FailedInvocation,
  type Invocation,
  type Judged,
  type Verdict,
} from './types.ts';
import { type VersionedObjects, versionedObjects } from './versioned-objects.ts';

/** The audit annotation of failed validations whose binding has the action `Audit`. */
const FAILURE_KEY = 'validation.policy.admission.k8s.io/validation_failure';
const LONGEST_ANNOTATION = 10 * 1024;
/** The longest time of all policies for one write, where there is a clock. They block all requests of a process. */
const MOST_MILLISECONDS = 2_000;

const CODES: Readonly<Record<string, Denial['code']>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
};

/**
 * Decides a write by the policies that match it, as Dispatch of
 * k8s.io/apiserver/pkg/admission/plugin/policy/validating does. All of them are evaluated, so that no warning or audit
 * annotation is missing.
 *
 * @throws {TimeExceededError} an expression takes too long; this says nothing about the write
 */
export function judge(invocations: readonly Invocation[], judged: Judged): Verdict {
  for (const { refill } of new Set(invocations.map(({ policy }) => policy.expressions))) refill();
  const judgement = new Judgement(judged);
  for (const invocation of invocations) judgement.add(invocation);
  return judgement.verdict();
}

class Judgement {
  readonly #judged: Judged;
  /** In ms; 0 without a clock. */
  readonly #began: number;
  readonly #warnings: string[] = [];
  readonly #annotations = new Map<string, string>();
  /** The values of the policies' own annotations by key, of one policy after the other. */
  readonly #published = new Map<string, Set<string>>();
  #denial: Denial | undefined;

  constructor(judged: Judged) {
    this.#judged = judged;
    this.#began = judged.now?.() ?? 0;
  }

  verdict(): Verdict {
    for (const [key, values] of this.#published) this.#annotate(key, [...values].join(', '));
    return { denial: this.#denial, warnings: this.#warnings, auditAnnotations: this.#annotations };
  }

  add(invocation: Invocation): void {
    if ('error' in invocation) {
      this.#fail(invocation);
      return;
    }
    const { policy, binding } = invocation;
    const found = this.#prepared(invocation);
    if (typeof found === 'string') {
      this.#fail({ policy, binding, error: found });
      return;
    }
    // Like upstream, which collects the results for all parameters first.
    const results = found.params.map((params) => {
      this.#refuseSlow();
      return decide(invocation, {
        ...found.objects,
        judged: this.#judged,
        namespaceObject: this.#namespace(),
        params,
      });
    });
    for (const { decisions, annotations } of results) {
      for (const [at, decision] of decisions.entries()) this.#act(invocation, decision, at);
      for (const annotation of annotations) {
        if ('error' in annotation) {
          this.#deny(policy, binding, { message: annotation.error, reason: '' });
        } else {
          this.#publish(`${policy.name}/${annotation.key}`, annotation.value);
        }
      }
    }
  }

  /** @throws {TimeExceededError} the policies took too long so far */
  #refuseSlow(): void {
    const { now } = this.#judged;
    if (now === undefined || now() - this.#began <= MOST_MILLISECONDS) return;
    throw new TimeExceededError(MOST_MILLISECONDS);
  }

  /** Returns the parameters and objects of an invocation, or why there are none. */
  #prepared(
    invocation: BindingInvocation,
  ): { params: readonly (JsonObject | undefined)[]; objects: VersionedObjects } | string {
    const none: VersionedObjects = { object: undefined, oldObject: undefined };
    try {
      const params = paramsOf(invocation, this.#judged);
      return { params, objects: params.length === 0 ? none : this.#objectsAs(invocation.matchedAs.kind) };
    } catch (error) {
      if (error instanceof ConfigurationError) return error.message;
      throw error;
    }
  }

  #objectsAs(kind: BindingInvocation['matchedAs']['kind']): VersionedObjects {
    try {
      return versionedObjects(this.#judged, kind);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      throw new ConfigurationError(`failed to convert object version: ${error.message}`);
    }
  }

  #namespace() {
    const { attributes, namespaceObject } = this.#judged;
    const { group, version, kind } = attributes.kind;
    const isNamespace = group === '' && version === 'v1' && kind === 'Namespace';
    return namespaceOf(isNamespace || attributes.namespace === '' ? undefined : namespaceObject);
  }

  #act({ policy, binding }: BindingInvocation, decision: Decision, at: number): void {
    if (decision.isAdmitted) return;
    const { message } = decision;
    const actions = textsOf(objectAt(binding.spec).validationActions);
    for (const action of actions) {
      if (action === 'Deny') this.#deny(policy, binding, decision);
      if (action === 'Audit') this.#annotate(FAILURE_KEY, failureOf(binding, at, message));
      if (action === 'Warn') {
        const named = `'${policy.name}' with binding '${nameOf(binding)}'`;
        this.#warnings.push(`Validation failed for ValidatingAdmissionPolicy ${named}: ${message}`);
      }
    }
  }

  /** An error of the configuration denies the write, whatever the binding's actions. */
  #fail({ policy, binding, error }: FailedInvocation): void {
    if (policy.failurePolicy === 'Ignore') return;
    const what = binding === undefined ? 'policy' : 'binding';
    this.#deny(policy, binding, { message: `failed to configure ${what}: ${error}`, reason: '' });
  }

  #deny(
    policy: CompiledPolicy,
    binding: JsonObject | undefined,
    { message, reason }: Pick<Decision, 'message' | 'reason'>,
  ): void {
    const bound = binding === undefined ? '' : ` with binding '${nameOf(binding)}'`;
    this.#denial ??= {
      code: CODES[reason] ?? 422,
      reason: reason === '' ? 'Invalid' : reason,
      message: `ValidatingAdmissionPolicy '${policy.name}'${bound} denied request: ${message}`,
    };
  }

  /** Sets an annotation, unless it is there already: annotations are not overwritten. */
  #annotate(key: string, value: string): void {
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  #publish(key: string, value: string): void {
    const values = this.#published.get(key) ?? new Set<string>();
    this.#published.set(key, values.add(shortened(value)));
  }
}

function nameOf(object: JsonObject): string {
  return textOf(metadataOf(object).name);
}

/** Returns the first bytes of a value, without a part of a character. */
function shortened(value: string): string {
  const bytes = Buffer.from(value);
  if (bytes.length <= LONGEST_ANNOTATION) return value;
  return bytes
    .subarray(0, LONGEST_ANNOTATION)
    .toString()
    .replace(/\ufffd$/, '');
}

/** Returns the value of the annotation of a failed validation: JSON as Go writes it. */
function failureOf(binding: JsonObject, expressionIndex: number, message: string): string {
  const { policyName, validationActions } = objectAt(binding.spec);
  const failure = {
    message,
    policy: policyName,
    binding: nameOf(binding),
    expressionIndex,
    validationActions,
  };
  return JSON.stringify([failure]).replace(
    /[<>&\u2028\u2029]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

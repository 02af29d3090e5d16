import { type AdmissionAttributes, isHiddenFromPolicies } from '../../kubernetes/admission-match/index.ts';
import { type BoundPolicy, judge, type Verdict } from '../../kubernetes/admission-policies/index.ts';
import type { RuledWrite } from '../http/index.ts';
import { attributesOf, kindOf } from './attributes.ts';
import { DenialError } from './denial-error.ts';
import { isTooSlow, Judging, type RequestRulesOptions, tooSlow } from './judging.ts';

/** The admission policies that decide the writes of one request, as of its start or later. */
export class RequestRules {
  readonly #options: RequestRulesOptions;
  readonly #judging: Judging;
  /** The last verdict about each object. A retry of a write replaces its verdict. */
  readonly #verdicts = new Map<string, Verdict>();

  constructor(options: RequestRulesOptions) {
    this.#options = options;
    this.#judging = new Judging(options);
  }

  /** The warnings about the writes of this request. */
  get warnings(): readonly string[] {
    return [...this.#verdicts.values()].flatMap(({ warnings }) => warnings);
  }

  /** The audit annotations of this request. As in kube-apiserver, the first value of a key counts. */
  get annotations(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#verdicts.values()].reverse().flatMap(({ auditAnnotations }) => [...auditAnnotations]),
    );
  }

  /**
   * Decides a write. Call it with the state that is to be committed, again for each retry.
   *
   * @throws ApiError 422, or 401, 403 or 413 as the policy says; 500 a policy takes too long
   */
  async decide(describe: () => RuledWrite | Promise<RuledWrite>): Promise<void> {
    const { cache, store, versions, clock, metrics, route } = this.#options;
    const { type, subresource } = route;
    if (isHiddenFromPolicies({ kind: kindOf(type, subresource), resource: type })) return;
    const began = clock.now();
    const bound = await cache.bound(store, versions, 'validating');
    if (bound.length === 0) return;
    const write = await describe();
    const attributes = attributesOf(write, this.#options);
    const outcome = (kind: 'admitted' | 'denied' | 'failed') =>
      metrics?.record('PolicyLatency', clock.now() - began, { outcome: kind });
    try {
      const verdict = await this.#judge(bound, attributes, write);
      if (verdict === undefined) return;
      this.#verdicts.set(`${attributes.namespace}/${attributes.name}`, verdict);
      const { denial } = verdict;
      if (denial !== undefined) throw new DenialError(attributes, denial);
      outcome('admitted');
    } catch (error) {
      outcome(error instanceof DenialError ? 'denied' : 'failed');
      throw error;
    }
  }

  /** Undefined if no policy matches. */
  async #judge(
    bound: readonly BoundPolicy[],
    attributes: AdmissionAttributes,
    write: RuledWrite,
  ): Promise<Verdict | undefined> {
    const prepared = await this.#judging.prepared(bound, attributes, write);
    if (prepared === undefined) return undefined;
    try {
      return judge(prepared.invocations, prepared.judged);
    } catch (error) {
      throw isTooSlow(error) ? tooSlow() : error;
    }
  }
}

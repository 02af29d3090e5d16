import type { JsonObject } from '../../json/index.ts';
import {
  type AdmissionAttributes,
  type GroupVersionKind,
  isHiddenFromPolicies,
} from '../../kubernetes/admission-match/index.ts';
import { type BoundPolicy, ConfigurationError } from '../../kubernetes/admission-policies/index.ts';
import {
  type Mutating,
  Mutator,
  PatchError,
  type PatchKind,
  PoliciesFailedError,
} from '../../kubernetes/admission-policies/mutating/index.ts';
import { loadFields } from '../../kubernetes/fields/index.ts';
import { apiVersionOf, SCALE } from '../../kubernetes/resource-types/index.ts';
import type { MutatedObject, RuledWrite } from '../http/index.ts';
import { shapesOf } from '../objects/index.ts';
import { ApiError } from '../status/index.ts';
import { attributesOf, kindOf } from './attributes.ts';
import { nameIn } from './denial-error.ts';
import {
  converterTo,
  isTooSlow,
  Judging,
  keyOf,
  type Prepared,
  type RequestRulesOptions,
  tooSlow,
} from './judging.ts';

const SCALE_PATH = 'scale';

/** The mutating policies that change the objects of one request, as of its start or later. */
export class RequestMutations {
  readonly #options: RequestRulesOptions;
  readonly #judging: Judging;

  constructor(options: RequestRulesOptions) {
    this.#options = options;
    this.#judging = new Judging(options);
  }

  /**
   * Begins to change the object of one write; for each retry anew.
   *
   * @param complete decodes an object that a policy changed, and sets its defaults
   * @returns undefined if no policy can change it
   */
  async begin(write: RuledWrite, complete: MutatedObject): Promise<ObjectMutation | undefined> {
    const { cache, store, versions, route } = this.#options;
    const { type, subresource } = route;
    if (write.object === undefined) return undefined;
    if (isHiddenFromPolicies({ kind: kindOf(type, subresource), resource: type })) return undefined;
    const bound = await cache.bound(store, versions, 'mutating');
    if (bound.length === 0) return undefined;
    const given = { ...write, object: write.object };
    return new ObjectMutation({ options: this.#options, judging: this.#judging, bound, complete }, given);
  }
}

interface Parts {
  readonly options: RequestRulesOptions;
  readonly judging: Judging;
  readonly bound: readonly BoundPolicy[];
  readonly complete: MutatedObject;
}

/** The change of one object by mutating policies, before and after webhooks are asked. */
export class ObjectMutation {
  readonly #parts: Parts;
  readonly #write: RuledWrite & { readonly object: JsonObject };
  readonly #mutator = new Mutator();
  #isPatched = false;
  #last: JsonObject | undefined;

  constructor(parts: Parts, write: RuledWrite & { readonly object: JsonObject }) {
    this.#parts = parts;
    this.#write = write;
  }

  /** Returns the object as the policies change it. @throws ApiError a policy fails */
  async first(): Promise<JsonObject> {
    this.#last = await this.#measured(this.#write.object);
    return this.#last;
  }

  /**
   * Returns the object as the policies change it once more: those with `reinvocationPolicy: IfNeeded`, if anything has
   * changed it. As upstream, the conditions of all policies are evaluated.
   *
   * @throws ApiError a policy fails
   */
  async again(object: JsonObject): Promise<JsonObject> {
    const isChanged = this.#isPatched || object !== this.#last;
    const isAsked = this.#parts.bound.some(
      ({ policy }) => policy.spec.reinvocationPolicy === 'IfNeeded' || policy.conditions.length > 0,
    );
    return isChanged && isAsked ? this.#measured(object) : object;
  }

  async #measured(object: JsonObject): Promise<JsonObject> {
    const { options, bound, judging } = this.#parts;
    const { clock, metrics } = options;
    const began = clock.now();
    const attributes = attributesOf({ ...this.#write, object }, options);
    const prepared = await judging.prepared(bound, attributes, this.#write);
    if (prepared === undefined) return object;
    const record = (outcome: 'admitted' | 'denied' | 'failed') =>
      metrics?.record('PolicyLatency', clock.now() - began, { outcome });
    try {
      const changed = await this.#mutator.pass(prepared.invocations, await this.#mutating(prepared));
      this.#isPatched ||= changed.isPatched;
      record('admitted');
      return changed.object;
    } catch (error) {
      record(error instanceof PoliciesFailedError ? 'denied' : 'failed');
      if (error instanceof PoliciesFailedError) throw deniedBy(error, attributes);
      throw isTooSlow(error) ? tooSlow() : error;
    }
  }

  async #mutating({ judged, equivalents }: Prepared): Promise<Mutating> {
    const { type, subresource } = this.#parts.options.route;
    const shapeOf = shapesOf(subresource === SCALE_PATH ? SCALE : type, await loadFields());
    const made = equivalents.map(async (other) => {
      return [keyOf(other.kind), await converterTo(other.type, { type })] as const;
    });
    const converters = new Map(await Promise.all(made));
    return {
      ...judged,
      shapeOf: (kind) => {
        const shape = shapeOf(apiVersionOf(kind));
        if (shape === undefined) throw new Error(`no fields of ${keyOf(kind)} are known`);
        return shape;
      },
      back: (object, kind) => backFrom(kind, converters.get(keyOf(kind)), object),
      complete: (object, kind) => this.#completed(object, kind),
    };
  }

  /**
   * Decodes a changed object. A JSON patch that leaves no object of the kind ends the write, also with `failurePolicy:
   * Ignore`: as upstream.
   */
  async #completed(object: JsonObject, kind: PatchKind): Promise<JsonObject> {
    const { complete, options } = this.#parts;
    let faults: readonly string[] = [];
    const completed = await complete(object, (told) => {
      faults = told;
    }).catch((error: unknown) => {
      // Validation has its own answer.
      if (!(error instanceof ApiError) || error.code !== 400) throw error;
      throw kind === 'JSONPatch' ? internal(error.message) : new PatchError(error.message);
    });
    const { type, subresource } = options.route;
    const isStrict = kind === 'JSONPatch' && (type.custom === undefined || subresource === SCALE_PATH);
    if (isStrict && faults.length > 0) throw internal(`strict decoding error: ${faults.join(', ')}`);
    return completed;
  }
}

function backFrom(
  kind: GroupVersionKind,
  convert: ((object: JsonObject) => JsonObject) | undefined,
  object: JsonObject,
): JsonObject {
  try {
    if (convert !== undefined) return convert(object);
  } catch (error) {
    if (error instanceof ApiError) throw new ConfigurationError(error.message);
    throw error;
  }
  throw new ConfigurationError(`${keyOf(kind)} cannot be converted back`);
}

/** The error of a write that mutating policies deny. As upstream, its code is always 403, and it names no object. */
function deniedBy({ failures, message }: PoliciesFailedError, attributes: AdmissionAttributes): ApiError {
  const { group, resource } = attributes.resource;
  return new ApiError(403, failures[0]?.reason ?? 'Forbidden', message, {
    name: nameIn(attributes),
    group: group || undefined,
    kind: resource,
    causes: failures.map((failure) => ({ message: failure.message })),
  });
}

function internal(message: string): ApiError {
  const causes = [{ reason: '', message }];
  return new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes });
}

import { type JsonObject, jsonPatchBetween, metadataOf } from '../../lib/json/index.ts';
import type { AdmissionAttributes, AdmissionUser } from '../../lib/kubernetes/admission-match/index.ts';
import {
  type BoundPolicy,
  ConfigurationError,
  type Denial,
  type Invocation,
  invocationsOf,
  type Judged,
  judge,
  type ParamQuery,
  type PolicyFacts,
  type Verdict,
} from '../../lib/kubernetes/admission-policies/index.ts';
import { Mutator, PoliciesFailedError } from '../../lib/kubernetes/admission-policies/mutating/index.ts';
import { deducedShape, kindShape } from '../../lib/kubernetes/apply/index.ts';
import { complete } from '../../lib/kubernetes/defaults/index.ts';
import { decodeMessage, type FieldTable } from '../../lib/kubernetes/fields/index.ts';
import { apiVersionOf } from '../../lib/kubernetes/resource-types/index.ts';
import type { AskedAccess } from './asked-access.ts';
import type { StoredType, StoredTypes } from './stored-types.ts';

/** The operations of a trial: the object is created as it is, or updated without a change. */
export type Operation = 'CREATE' | 'UPDATE';

export interface TrialOptions {
  readonly policies: readonly BoundPolicy[];
  /** The policies that change objects. */
  readonly mutating: readonly BoundPolicy[];
  /** The fields of Kubernetes' kinds. */
  readonly fields: FieldTable;
  readonly user: AdmissionUser;
  readonly types: StoredTypes;
  /** The stored Namespaces by name. */
  readonly namespaces: ReadonlyMap<string, JsonObject>;
  readonly access: AskedAccess;
  /** Reads the parameters of a policy. */
  readParams(query: ParamQuery): Promise<readonly JsonObject[]>;
  /** Resets the work limit of regular expressions. */
  refill(): void;
}

/** What the policies say about one write. */
export interface TrialVerdict extends Pick<Verdict, 'warnings'> {
  readonly denial: Pick<Denial, 'message'> | undefined;
  /** What they would change: `add /metadata/labels/team`. */
  readonly changes: readonly string[];
}

/** Evaluates policies on writes of stored objects, without sending them. */
export class Trial {
  readonly #options: TrialOptions;
  readonly #params = new Map<string, readonly JsonObject[]>();

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  /** The verdict of all policies about one write of a stored object. */
  async verdict(type: StoredType, stored: JsonObject, operation: Operation): Promise<TrialVerdict> {
    const { policies, access } = this.#options;
    const attributes = this.#attributesOf(type, stored, operation);
    for (;;) {
      const verdict = await this.#changed(type, attributes).then(
        async ({ object, changes }) => {
          const [invocations, judged] = await this.#prepared(policies, type, { ...attributes, object });
          return { ...judge(invocations, judged), changes };
        },
        (error: unknown) => {
          if (!(error instanceof PoliciesFailedError)) throw error;
          return { denial: { message: error.message }, warnings: [], changes: [] };
        },
      );
      if (!(await access.ask())) return verdict;
    }
  }

  /** The object as the mutating policies of the file change it, in both of their passes. */
  async #changed(
    type: StoredType,
    attributes: AdmissionAttributes,
  ): Promise<{ readonly object: JsonObject; readonly changes: readonly string[] }> {
    const { mutating, fields } = this.#options;
    const { object: given = {} } = attributes;
    if (mutating.length === 0) return { object: given, changes: [] };
    const message = fields.kind(apiVersionOf(type), type.kind);
    const shape = message === undefined ? deducedShape : kindShape(message);
    const decoded = (each: JsonObject) =>
      message === undefined ? each : decodeMessage(message, each, { fixed: ENVELOPE, complete }).value;
    const before = decoded(given);
    const mutator = new Mutator();
    let object = before;
    for (const _pass of [1, 2]) {
      const [invocations, judged] = await this.#prepared(mutating, type, { ...attributes, object });
      const changed = await mutator.pass(invocations, {
        ...judged,
        shapeOf: () => shape,
        back: (each) => each,
        complete: async (each) => decoded(each),
      });
      object = changed.object;
      if (!changed.isPatched) break;
    }
    return { object, changes: changesBetween(before, object) };
  }

  async #prepared(
    policies: readonly BoundPolicy[],
    type: StoredType,
    attributes: AdmissionAttributes,
  ): Promise<readonly [readonly Invocation[], Judged]> {
    const { types, namespaces, access, refill } = this.#options;
    const namespace = namespaces.get(attributes.namespace);
    const namespaceLabels =
      namespace && ((metadataOf(namespace).labels ?? {}) as PolicyFacts['namespaceLabels']);
    const facts = { namespaceLabels, equivalents: [], scopeOf: types.scopeOf.bind(types) };
    const invocations = invocationsOf(policies, attributes, facts);
    for (const invocation of invocations) {
      if ('params' in invocation && invocation.params !== undefined) await this.#read(invocation.params);
    }
    refill();
    const judged: Judged = {
      attributes,
      namespaceObject: type.namespaced ? namespace : undefined,
      paramsOf: (query) => this.#params.get(JSON.stringify(query)) ?? [],
      authorizer: access,
      convert: () => {
        throw new ConfigurationError('a trial converts no objects');
      },
      now: () => performance.now(),
    };
    return [invocations, judged];
  }

  async #read(query: ParamQuery): Promise<void> {
    const key = JSON.stringify(query);
    if (!this.#params.has(key)) this.#params.set(key, await this.#options.readParams(query));
  }

  #attributesOf(
    { group, version, resource, kind, namespaced }: StoredType,
    stored: JsonObject,
    operation: Operation,
  ): AdmissionAttributes {
    const { name = '', namespace = '' } = metadataOf(stored);
    const isNamespace = group === '' && kind === 'Namespace';
    const isCreate = operation === 'CREATE';
    return {
      operation,
      kind: { group, version, kind },
      resource: { group, version, resource },
      subresource: '',
      name: String(name),
      namespace: isNamespace ? String(name) : namespaced ? String(namespace) : '',
      user: this.#options.user,
      dryRun: false,
      options: { apiVersion: 'meta.k8s.io/v1', kind: isCreate ? 'CreateOptions' : 'UpdateOptions' },
      object: isCreate ? asNew(stored) : stored,
      oldObject: isCreate ? undefined : stored,
    };
  }
}

/** The first fields of every object. */
const ENVELOPE = ['apiVersion', 'kind'];

/** The changes of an object, as operations and paths. */
function changesBetween(before: JsonObject, after: JsonObject): string[] {
  return jsonPatchBetween(before, after).map(({ op, path }) => `${op} ${path}`);
}

/** A stored object as its create would show it to a policy. */
function asNew({ status: _status, ...stored }: JsonObject): JsonObject {
  const { resourceVersion: _version, ...metadata } = metadataOf(stored);
  return { ...stored, metadata };
}

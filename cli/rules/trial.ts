import { type JsonObject, metadataOf } from '../../lib/json/index.ts';
import type { AdmissionAttributes, AdmissionUser } from '../../lib/kubernetes/admission-match/index.ts';
import {
  type BoundPolicy,
  ConfigurationError,
  invocationsOf,
  judge,
  type ParamQuery,
  type PolicyFacts,
  type Verdict,
} from '../../lib/kubernetes/admission-policies/index.ts';
import type { AskedAccess } from './asked-access.ts';
import type { StoredType, StoredTypes } from './stored-types.ts';

/** The operations of a trial: the object is created as it is, or updated without a change. */
export type Operation = 'CREATE' | 'UPDATE';

export interface TrialOptions {
  readonly policies: readonly BoundPolicy[];
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

/** Evaluates policies on writes of stored objects, without sending them. */
export class Trial {
  readonly #options: TrialOptions;
  readonly #params = new Map<string, readonly JsonObject[]>();

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  /** The verdict of all policies about one write of a stored object. */
  async verdict(type: StoredType, stored: JsonObject, operation: Operation): Promise<Verdict> {
    const { policies, types, namespaces, access, refill } = this.#options;
    const attributes = this.#attributesOf(type, stored, operation);
    const namespace = namespaces.get(attributes.namespace);
    const namespaceLabels =
      namespace && ((metadataOf(namespace).labels ?? {}) as PolicyFacts['namespaceLabels']);
    const facts = { namespaceLabels, equivalents: [], scopeOf: types.scopeOf.bind(types) };
    const invocations = invocationsOf(policies, attributes, facts);
    for (const invocation of invocations) {
      if ('params' in invocation && invocation.params !== undefined) await this.#read(invocation.params);
    }
    for (;;) {
      refill();
      const verdict = judge(invocations, {
        attributes,
        namespaceObject: type.namespaced ? namespace : undefined,
        paramsOf: (query) => this.#params.get(JSON.stringify(query)) ?? [],
        authorizer: access,
        convert: () => {
          throw new ConfigurationError('a trial converts no objects');
        },
        now: () => performance.now(),
      });
      if (!(await access.ask())) return verdict;
    }
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

/** A stored object as its create would show it to a policy. */
function asNew({ status: _status, ...stored }: JsonObject): JsonObject {
  const { resourceVersion: _version, ...metadata } = metadataOf(stored);
  return { ...stored, metadata };
}

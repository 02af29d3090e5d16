import { type JsonObject, metadataOf } from '../../../../lib/json/index.ts';
import type { AdmissionAttributes } from '../../../../lib/kubernetes/admission-match/index.ts';
import {
  compilePolicy,
  invocationsOf,
  loadExpressions,
  type ParamQuery,
} from '../../../../lib/kubernetes/admission-policies/index.ts';
import {
  Mutator,
  PatchError,
  type PatchKind,
  PoliciesFailedError,
} from '../../../../lib/kubernetes/admission-policies/mutating/index.ts';
import { kindShape } from '../../../../lib/kubernetes/apply/index.ts';
import {
  decodeMessage,
  loadFields,
  type Message,
  UnmarshalError,
} from '../../../../lib/kubernetes/fields/index.ts';
import type { Labels } from '../../../../lib/selectors/index.ts';
import type { RandomWrite, Scene } from './scenes.ts';

/** An object after all policies, or why they deny the write. */
export interface Outcome {
  readonly object: JsonObject | null;
  readonly status: JsonObject | null;
}

const expressions = await loadExpressions();
const fields = await loadFields();

/** An error that ends the write, whatever the policy's `failurePolicy`. */
class EndedError extends Error {}

/** Applies the policies of a scene to its writes, without a server: objects get no defaults. */
export async function playHere(scene: Scene): Promise<readonly Outcome[]> {
  const bound = scene.policies
    .map((policy) => ({
      policy: compilePolicy(policy, expressions),
      bindings: scene.bindings.filter(
        ({ spec }) => (spec as JsonObject).policyName === metadataOf(policy).name,
      ),
    }))
    .filter(({ bindings }) => bindings.length > 0);
  const outcomes: Outcome[] = [];
  for (const write of scene.writes) {
    try {
      outcomes.push({ object: await changed(scene, write, bound), status: null });
    } catch (error) {
      outcomes.push({ object: null, status: statusOf(error) });
    }
  }
  return outcomes;
}

function statusOf(error: unknown): JsonObject {
  if (error instanceof EndedError) return { code: 500, reason: 'InternalError', messages: [error.message] };
  if (!(error instanceof PoliciesFailedError)) throw error;
  return {
    code: 403,
    reason: error.failures[0]?.reason ?? '',
    messages: error.failures.map(({ message }) => message),
  };
}

async function changed(
  scene: Scene,
  write: RandomWrite,
  bound: Parameters<typeof invocationsOf>[0],
): Promise<JsonObject> {
  const { group, version, kind } = write;
  const message = fields.kind(group === '' ? version : `${group}/${version}`, kind);
  if (message === undefined) throw new Error(`no kind ${kind}`);
  const namespace = scene.namespaces.find((one) => metadataOf(one).name === write.namespace);
  const facts = {
    namespaceLabels: (namespace && metadataOf(namespace).labels) as Labels | undefined,
    equivalents: [],
    scopeOf: (of: { readonly kind: string }) =>
      of.kind === 'ConfigMap' ? ('Namespaced' as const) : undefined,
  };
  const mutator = new Mutator();
  let object = decoded(message, write.object);
  for (const _pass of [1, 2]) {
    const attributes = attributesOf(write, message, object);
    const pass = await mutator.pass(invocationsOf(bound, attributes, facts), {
      attributes,
      namespaceObject: kind === 'Namespace' ? undefined : namespace,
      paramsOf: (query) => paramsIn(scene, query),
      authorizer: { check: () => ({ isAllowed: false, reason: '' }) },
      convert: (each) => each,
      back: (each) => each,
      shapeOf: () => kindShape(message),
      complete: async (each, patch) => completed(message, each, patch),
    });
    object = pass.object;
    if (!pass.isPatched) break;
  }
  return object;
}

const ENVELOPE = ['apiVersion', 'kind'];

function decoded(message: Message, object: JsonObject): JsonObject {
  return decodeMessage(message, object, { fixed: ENVELOPE }).value;
}

function completed(message: Message, object: JsonObject, patch: PatchKind): JsonObject {
  try {
    const { value, unknown } = decodeMessage(message, object, { fixed: ENVELOPE });
    if (patch === 'JSONPatch' && unknown.length > 0) {
      const named = unknown.map((path) => `unknown field "${path}"`);
      throw new EndedError(`Internal error occurred: strict decoding error: ${named.join(', ')}`);
    }
    return value;
  } catch (error) {
    if (!(error instanceof UnmarshalError)) throw error;
    if (patch === 'JSONPatch') throw new EndedError(`Internal error occurred: ${error.message}`);
    throw new PatchError(`unable to convert: ${error.message}`);
  }
}

function attributesOf(write: RandomWrite, message: Message, object: JsonObject): AdmissionAttributes {
  const { operation, group, version, resource, kind, namespace, name, oldObject } = write;
  return {
    operation,
    kind: { group, version, kind },
    resource: { group, version, resource },
    subresource: '',
    name,
    namespace,
    user: { name: 'jane', uid: '', groups: ['devs'], extra: {} },
    dryRun: false,
    options: {
      kind: operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions',
      apiVersion: 'meta.k8s.io/v1',
    },
    object,
    oldObject: oldObject === null ? undefined : decoded(message, oldObject),
  };
}

function paramsIn({ params }: Scene, { namespace, name, selector }: ParamQuery): readonly JsonObject[] {
  const { matchLabels = {} } = (selector ?? {}) as { matchLabels?: JsonObject };
  return params.filter((one) => {
    const { name: own, namespace: at, labels = {} } = metadataOf(one);
    const isSelected = Object.entries(matchLabels).every(
      ([key, value]) => (labels as JsonObject)[key] === value,
    );
    return at === namespace && (name === undefined ? isSelected : own === name);
  });
}

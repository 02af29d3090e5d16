import { type JsonObject, type JsonValue, metadataOf, objectAt, objectsIn } from '../../lib/json/index.ts';
import { complete } from '../../lib/kubernetes/defaults/index.ts';
import { decodeMessage, loadFields, UnmarshalError } from '../../lib/kubernetes/fields/index.ts';
import { Fault } from '../connection/index.ts';
import { readDocuments } from '../read-documents.ts';

/** A policy of a file with its bindings. */
export interface TriedPolicy {
  readonly policy: JsonObject;
  /** Whether the policy changes objects. */
  readonly isMutating: boolean;
  readonly bindings: readonly JsonObject[];
}

/**
 * Reads policies and bindings from a YAML or JSON file, which may hold Lists; `-` is standard input. A policy without a
 * binding gets one that denies everywhere.
 *
 * @throws {Fault} the file cannot be read, or holds no policy or another kind
 */
export async function readRulesFile(file: string): Promise<TriedPolicy[]> {
  const documents = (await readDocuments(file)) as JsonValue[];
  const objects = documents
    .map(objectAt)
    .flatMap((one) => (one.kind === 'List' ? objectsIn(one.items) : [one]));
  const kinds = [...POLICIES, ...POLICIES.map((kind) => `${kind}Binding`)];
  const other = objects.find(({ kind }) => !kinds.includes(String(kind)));
  if (other !== undefined) {
    throw new Fault({
      what: `${file} holds an object of kind ${other.kind ?? '""'}`,
      advice: `The file may hold only objects of kind ${kinds.join(', ')}`,
    });
  }
  if (!objects.some(isPolicy)) {
    throw new Fault({ what: `${file} holds no ${POLICIES.join(' or ')}`, advice: 'Add the policies to try' });
  }
  const stored = await Promise.all(objects.map((object) => completed(file, object)));
  return stored.filter(isPolicy).map((policy) => {
    const name = metadataOf(policy).name;
    const own = stored.filter(
      ({ kind, spec }) => kind === `${policy.kind}Binding` && objectAt(spec).policyName === name,
    );
    return {
      policy,
      isMutating: policy.kind === MUTATING,
      bindings: own.length > 0 ? own : [everywhere(policy)],
    };
  });
}

const MUTATING = 'MutatingAdmissionPolicy';
const POLICIES = ['ValidatingAdmissionPolicy', MUTATING];

const isPolicy = ({ kind }: JsonObject): boolean => POLICIES.includes(String(kind));

function everywhere(policy: JsonObject): JsonObject {
  const { kind } = policy;
  const { name: policyName = '' } = metadataOf(policy);
  const metadata = { name: '(everywhere)' };
  const actions: JsonObject = kind === MUTATING ? {} : { validationActions: ['Deny'] };
  return { kind: `${kind}Binding`, metadata, spec: { policyName, ...actions } };
}

/** An object as the server would store it: with Kubernetes' defaults. @throws {Fault} it has a wrong or unknown field */
async function completed(file: string, object: JsonObject): Promise<JsonObject> {
  const message = (await loadFields()).kind(String(object.apiVersion), String(object.kind));
  if (message === undefined) {
    throw new Fault({
      what: `${file}: ${object.kind} has the apiVersion ${object.apiVersion ?? '""'}`,
      advice: 'Use admissionregistration.k8s.io/v1',
    });
  }
  try {
    const { value, unknown } = decodeMessage(message, object, { fixed: ['apiVersion', 'kind'], complete });
    if (unknown.length === 0) return value;
    throw new Fault({
      what: `${file}: unknown field ${unknown.join(', ')}`,
      advice: 'Correct it and try again',
    });
  } catch (error) {
    if (!(error instanceof UnmarshalError)) throw error;
    throw new Fault({ what: `${file}: ${error.message}`, advice: 'Correct it and try again' });
  }
}

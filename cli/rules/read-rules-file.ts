import { type JsonObject, type JsonValue, metadataOf, objectAt, objectsIn } from '../../lib/json/index.ts';
import { complete } from '../../lib/kubernetes/defaults/index.ts';
import { decodeMessage, loadFields, UnmarshalError } from '../../lib/kubernetes/fields/index.ts';
import { Fault } from '../connection/index.ts';
import { readDocuments } from '../read-documents.ts';

/** The policies of a file, each with its bindings. */
export interface TriedPolicy {
  readonly policy: JsonObject;
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
  const other = objects.find(({ kind }) => kind !== POLICY && kind !== BINDING);
  if (other !== undefined) {
    throw new Fault({
      what: `${file} holds an object of kind ${other.kind ?? '""'}`,
      advice: `The file may hold only objects of kind ${POLICY} and ${BINDING}`,
    });
  }
  const policies = objects.filter(({ kind }) => kind === POLICY);
  if (policies.length === 0) {
    throw new Fault({ what: `${file} holds no ${POLICY}`, advice: 'Add the policies to try' });
  }
  const stored = await Promise.all(objects.map((object) => completed(file, object)));
  return stored
    .filter(({ kind }) => kind === POLICY)
    .map((policy) => {
      const name = metadataOf(policy).name;
      const own = stored.filter(({ kind, spec }) => kind === BINDING && objectAt(spec).policyName === name);
      return { policy, bindings: own.length > 0 ? own : [everywhere(String(name))] };
    });
}

const POLICY = 'ValidatingAdmissionPolicy';
const BINDING = 'ValidatingAdmissionPolicyBinding';

function everywhere(policyName: string): JsonObject {
  const metadata = { name: '(everywhere)' };
  return { kind: BINDING, metadata, spec: { policyName, validationActions: ['Deny'] } };
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

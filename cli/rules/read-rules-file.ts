import { type JsonObject, type JsonValue, metadataOf, objectAt, objectsIn } from '../../lib/json/index.ts';
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
  return policies.map((policy) => {
    const name = metadataOf(policy).name;
    const own = objects.filter(({ kind, spec }) => kind === BINDING && objectAt(spec).policyName === name);
    return { policy: withDefaults(policy), bindings: own.length > 0 ? own : [everywhere(String(name))] };
  });
}

const POLICY = 'ValidatingAdmissionPolicy';
const BINDING = 'ValidatingAdmissionPolicyBinding';

function everywhere(policyName: string): JsonObject {
  const metadata = { name: '(everywhere)' };
  return { kind: BINDING, metadata, spec: { policyName, validationActions: ['Deny'] } };
}

/** The policy with the defaults that count: the server would fill them in. */
function withDefaults(policy: JsonObject): JsonObject {
  const spec = objectAt(policy.spec);
  const constraints = objectAt(spec.matchConstraints ?? {});
  return { ...policy, spec: { ...spec, matchConstraints: { matchPolicy: 'Equivalent', ...constraints } } };
}

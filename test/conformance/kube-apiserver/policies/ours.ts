import { type JsonObject, objectAt, objectsIn } from '../../../../lib/json/index.ts';
import type { ApiResponse, UserInfo } from '../../../../lib/server/index.ts';
import { createMemoryApi, type MemoryAnswer, type MemoryApi } from '../../../support/service/memory-api.ts';
import { DEFINITIONS, pathOf, served } from './cluster.ts';
import type { Scene } from './scenes.ts';
import type { TypedScene } from './typed-policies.ts';
import type { RandomWrite } from './writes.ts';

const POLICY_GROUP = '/apis/admissionregistration.k8s.io/v1';
const RBAC_GROUP = '/apis/rbac.authorization.k8s.io/v1';
const DEFINITION_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const MERGE = 'application/merge-patch+json';

export interface Verdict {
  /** The Status of the denial; null if the write is admitted. */
  readonly status: JsonObject | null;
  /** The headers. */
  readonly warnings: readonly string[];
  readonly annotations: Readonly<Record<string, string>> | null;
}

/** What a server says about a scene. Refusals of policies and bindings are empty for those that are created. */
export interface Answers {
  readonly policies: readonly string[];
  readonly bindings: readonly string[];
  readonly writes: readonly Verdict[];
}

/** A warning of `status.typeChecking`. */
export interface TypeWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** Creates custom kinds and policies on a Winnow in this process. @returns the warnings of each policy's status */
export async function checkTypesHere({ definitions, typeChecked }: TypedScene): Promise<TypeWarning[][]> {
  const { ask } = await createMemoryApi();
  for (const each of definitions) await ask('POST', DEFINITION_PATH, each);
  const said: TypeWarning[][] = [];
  for (const each of typeChecked) {
    const { status } = await ask('POST', `${POLICY_GROUP}/validatingadmissionpolicies`, each);
    const { expressionWarnings } = objectAt(objectAt(status).typeChecking);
    said.push(
      objectsIn(expressionWarnings).map(({ fieldRef, warning }) => ({
        fieldRef: String(fieldRef),
        warning: String(warning),
      })),
    );
  }
  return said;
}

/** Plays a scene on a Winnow in this process. */
export async function playHere(scene: Scene): Promise<Answers> {
  const trail = new AnnotationTrail();
  const api = await createMemoryApi(1, undefined, { auditing: async () => ({ begin: async () => trail }) });
  await prepare(api, scene);
  const policies = await refusals(api, `${POLICY_GROUP}/validatingadmissionpolicies`, scene.policies);
  const bindings = await refusals(api, `${POLICY_GROUP}/validatingadmissionpolicybindings`, scene.bindings);
  const writes: Verdict[] = [];
  for (const write of scene.writes) writes.push(await verdictOn(api, write, trail));
  return { policies, bindings, writes };
}

async function prepare(api: MemoryApi, scene: Scene): Promise<void> {
  const { ask } = api;
  for (const each of scene.namespaces) await ask('POST', '/api/v1/namespaces', each);
  for (const each of DEFINITIONS) await ask('POST', DEFINITION_PATH, each);
  for (const each of scene.roles) await ask('POST', `${RBAC_GROUP}/clusterroles`, each);
  for (const each of scene.roleBindings) await ask('POST', `${RBAC_GROUP}/clusterrolebindings`, each);
  for (const each of scene.params) await ask('POST', pathOfParam(each), each);
  const stored = scene.writes.flatMap(({ before }) => (before === undefined ? [] : [before]));
  for (const { path, body } of stored) await ask('POST', path, body);
}

function pathOfParam({ kind, metadata }: JsonObject): string {
  const paths = { ConfigMap: 'v1/configmaps', Limit: 'example.org/v1/limits' };
  const path = kind === 'BigLimit' ? 'example.org/v1/biglimits' : paths[kind as keyof typeof paths];
  return pathOf(served(path), String((metadata as JsonObject).namespace));
}

async function refusals(api: MemoryApi, path: string, objects: readonly JsonObject[]): Promise<string[]> {
  const said: string[] = [];
  for (const object of objects) {
    const { status, body } = await api.send('POST', path, object);
    said.push(status === 201 ? '' : String(body.message));
  }
  return said;
}

async function verdictOn(api: MemoryApi, write: RandomWrite, trail: AnnotationTrail): Promise<Verdict> {
  const { method, path, body, seen } = write;
  trail.annotations = {};
  const caller = api.as(seen.user as UserInfo);
  const type = method === 'PATCH' ? MERGE : 'application/json';
  const answer = await caller.send(method, path, body, type);
  return {
    status: isAdmitted(answer, seen.operation) ? null : answer.body,
    warnings: (answer.headers.warning ?? '').split(/, (?=299 - )/).filter((text) => text !== ''),
    annotations: trail.annotations,
  };
}

/** Whether a write was admitted. A connection that is admitted fails, because no kubelet answers it. */
function isAdmitted({ status, body }: MemoryAnswer, operation: RandomWrite['seen']['operation']): boolean {
  if (operation === 'CONNECT') return !String(body.message).includes('ValidatingAdmissionPolicy');
  return status < 300;
}

/** An audit trail that remembers the annotations of the last request. */
class AnnotationTrail {
  annotations: Readonly<Record<string, string>> = {};

  annotated(annotations: ReadonlyMap<string, string>): void {
    this.annotations = Object.fromEntries(annotations);
  }

  answered(response: ApiResponse): ApiResponse {
    return response;
  }

  answersTo(): void {}

  decided(): void {}

  async accepted(): Promise<void> {}

  async settled(): Promise<void> {}
}

import { type Collection, type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import { DEFINITIONS } from '../../kubernetes/lifecycle/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import type { Store } from '../../store/index.ts';

/** The annotation on a CustomResourceDefinition that names the path of the pod template in its objects. */
export const POD_TEMPLATE = 'winnow.dev/pod-template';

/** The paths of the pod templates of Kubernetes' own kinds; a Pod is its own template. */
const PATHS: ReadonlyMap<string, string> = new Map([
  ['v1/Pod', ''],
  ['v1/PodTemplate', 'template'],
  ['v1/ReplicationController', 'spec.template'],
  ['apps/v1/DaemonSet', 'spec.template'],
  ['apps/v1/Deployment', 'spec.template'],
  ['apps/v1/ReplicaSet', 'spec.template'],
  ['apps/v1/StatefulSet', 'spec.template'],
  ['batch/v1/CronJob', 'spec.jobTemplate.spec.template'],
  ['batch/v1/Job', 'spec.template'],
]);
const PATH = /^(?:\.[A-Za-z_][A-Za-z0-9_-]*)+$/;
const COLLECTIONS: readonly Collection[] = [DEFINITIONS];

/** Returns the path of the pod template in objects of a kind (`spec.template`), or an error if none is known. */
export async function templatePathOf(object: JsonObject, store: Store): Promise<string | FieldError> {
  const apiVersion = String(object.apiVersion ?? '');
  const kind = String(object.kind ?? '');
  const known = PATHS.get(`${apiVersion}/${kind}`);
  if (known !== undefined) return known;
  const annotation = await declaredPath(store, apiVersion, kind);
  if (annotation === undefined) {
    const where = apiVersion === '' ? 'an object without apiVersion' : apiVersion;
    const detail = `no pod template is known for this kind of ${where}; for a custom kind, set the annotation ${POD_TEMPLATE} of its CustomResourceDefinition to the path of the template`;
    return { type: 'Invalid', field: 'kind', value: kind, detail };
  }
  if (PATH.test(annotation)) return annotation.slice(1);
  const detail = `the annotation ${POD_TEMPLATE} of its CustomResourceDefinition is ${JSON.stringify(annotation)}; it must be a path such as .spec.template`;
  return { type: 'Invalid', field: 'kind', value: kind, detail };
}

async function declaredPath(store: Store, apiVersion: string, kind: string): Promise<string | undefined> {
  const [group = ''] = apiVersion.split('/');
  const definitions = (await store.snapshot(COLLECTIONS)).get(DEFINITIONS) ?? [];
  const found = definitions.find(({ body }) => {
    const spec = objectAt(body.spec);
    return spec.group === group && objectAt(spec.names).kind === kind;
  });
  const annotation = found && objectAt(metadataOf(found.body).annotations)[POD_TEMPLATE];
  return typeof annotation === 'string' ? annotation : undefined;
}

import {
  type Collection,
  collectionOf,
  type JsonObject,
  metadataOf,
  type ObjectName,
  objectAt,
  objectsIn,
} from '../../json/index.ts';
import { goAggregate } from '../../kubernetes/field-errors/index.ts';
import { isOnNode } from '../../kubernetes/nodes/index.ts';
import { authorize } from '../../kubernetes/rbac/index.ts';
import type { Store } from '../../store/index.ts';
import { asServer, type Call } from '../http/index.ts';
import { forbidden, notFound } from '../status/index.ts';
import { PODS, VOLUMES } from './is-related.ts';

const CLAIMS = collectionOf('', 'persistentvolumeclaims');
const DRIVERS = collectionOf('storage.k8s.io', 'csidrivers');
/** The CSI drivers that have replaced sources of volumes in a pod or a PersistentVolume. */
const DRIVER_OF: Readonly<Record<string, string>> = {
  awsElasticBlockStore: 'ebs.csi.aws.com',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  portworxVolume: 'pxd.portworx.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
};

/**
 * Refuses a node's request for a service account token, unless the token is bound to a pod on the node and its audience
 * is one that the pod uses. A role may allow other audiences, with the verb `request-serviceaccounts-token-audience`.
 *
 * @param spec the spec of the TokenRequest
 * @see k8s.io/kubernetes/plugin/pkg/admission/noderestriction, admitServiceAccount
 * @throws ApiError 403, 404
 */
export async function refuseNodeToken(call: Call, node: string, spec: JsonObject): Promise<void> {
  const { route } = call;
  const refuse = (why: string): never => {
    throw forbidden(route.type, route.name, why);
  };
  const { apiVersion, kind, name, uid } = objectAt(spec.boundObjectRef);
  if (apiVersion !== 'v1' || kind !== 'Pod' || typeof name !== 'string' || name === '') {
    refuse('node requested token not bound to a pod');
  }
  if (uid === undefined || uid === '') refuse('node requested token with a pod binding without a uid');
  const { store } = asServer(call.options);
  const pod = await store.get(PODS, { namespace: route.namespace, name: String(name) });
  if (pod === undefined) throw notFound({ group: '', resource: 'pod' }, String(name));
  if (uid !== pod.uid) {
    refuse(
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  if (!isOnNode(pod.body, node)) refuse('node requested token bound to a pod scheduled on a different node');
  const audiences = Array.isArray(spec.audiences) ? spec.audiences.map(String) : [];
  const [audience = ''] = audiences;
  if (audiences.length > 1) refuse('node may only request 0 or 1 audiences');
  const { isUsed, errors } = await findAudience(store, pod.body, { namespace: route.namespace, audience });
  if (isUsed) return;
  const quoted = JSON.stringify(audience);
  if (errors.length > 0) refuse(`error validating audience ${quoted}: ${goAggregate(errors)}`);
  const rights = call.permit?.now();
  const verb = 'request-serviceaccounts-token-audience';
  const access = { ...route, verb, apiGroup: '', resource: audience, subresource: '' };
  if (rights !== undefined && authorize(rights.policy, rights.user, access).allowed) return;
  const { username } = call.request.user;
  refuse(
    `audience ${quoted} not found in pod spec volume, ${username} is not authorized to request tokens for this audience`,
  );
}

interface AudienceQuestion {
  readonly namespace: string;
  readonly audience: string;
}

/** Whether a pod uses an audience, and the objects on the way to the answer that do not exist, as errors. */
interface AudienceAnswer {
  readonly isUsed: boolean;
  readonly errors: readonly string[];
}

/** Whether a volume of the pod has tokens for the audience, by itself or through the driver of a CSI volume. */
async function findAudience(
  store: Store,
  pod: JsonObject,
  { namespace, audience }: AudienceQuestion,
): Promise<AudienceAnswer> {
  const volumes = objectsIn(objectAt(pod.spec).volumes);
  const sources = volumes.flatMap(({ projected }) => objectsIn(objectAt(projected).sources));
  const tokens = sources.filter(({ serviceAccountToken }) => serviceAccountToken !== undefined);
  const isFor = (token: JsonObject) => (token.audience ?? '') === audience;
  if (tokens.some((token) => isFor(objectAt(token.serviceAccountToken)))) return { isUsed: true, errors: [] };
  const errors: string[] = [];
  const claimPrefix = `${metadataOf(pod).name}-`;
  for (const volume of volumes) {
    try {
      const driver = await driverOf(store, volume, { namespace, claimPrefix });
      if (driver === '') continue;
      const { spec } = await existing(store, 'csidriver.storage.k8s.io', DRIVERS, {
        namespace: '',
        name: driver,
      });
      if (objectsIn(objectAt(spec).tokenRequests).some(isFor)) return { isUsed: true, errors: [] };
    } catch (error) {
      if (!(error instanceof MissingError)) throw error;
      errors.push(error.message);
    }
  }
  return { isUsed: false, errors };
}

/** An object that another object names does not exist. */
class MissingError extends Error {}

async function existing(
  store: Store,
  kind: string,
  collection: Collection,
  name: ObjectName,
): Promise<JsonObject> {
  const state = await store.get(collection, name);
  if (state === undefined) throw new MissingError(`${kind} ${JSON.stringify(name.name)} not found`);
  return state.body;
}

/** The CSI driver of a pod's volume; `''` if it has none. @throws MissingError */
async function driverOf(
  store: Store,
  volume: JsonObject,
  { namespace, claimPrefix }: { readonly namespace: string; readonly claimPrefix: string },
): Promise<string> {
  const { ephemeral, persistentVolumeClaim, name } = volume;
  if (objectAt(ephemeral).volumeClaimTemplate !== undefined) {
    return driverOfClaim(store, { namespace, name: `${claimPrefix}${name}` });
  }
  if (persistentVolumeClaim === undefined) return driverIn(volume);
  return driverOfClaim(store, { namespace, name: String(objectAt(persistentVolumeClaim).claimName) });
}

async function driverOfClaim(store: Store, name: ObjectName): Promise<string> {
  const claim = await existing(store, 'persistentvolumeclaim', CLAIMS, name);
  const bound = { namespace: '', name: String(objectAt(claim.spec).volumeName ?? '') };
  const volume = await existing(store, 'persistentvolume', VOLUMES, bound);
  return driverIn(objectAt(volume.spec));
}

/** The CSI driver of a source of a volume; `''` if it has none. */
function driverIn(source: JsonObject): string {
  const { csi } = source;
  if (csi !== undefined) return String(objectAt(csi).driver ?? '');
  const replaced = Object.keys(DRIVER_OF).find((type) => source[type] !== undefined);
  return DRIVER_OF[replaced ?? ''] ?? '';
}

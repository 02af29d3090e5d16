import type { JsonObject } from '../../../../lib/json/index.ts';
import { pod } from './make.ts';

function volume(source: JsonObject): JsonObject {
  return pod({ volumes: [{ name: 'v', ...source }] });
}

function persistent(source: JsonObject): JsonObject {
  return { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...source } };
}

const projected = (...sources: JsonObject[]) => volume({ projected: { sources } });
const file = (path: string, key = 'k') => ({ key, path });

/** Sources that pods and persistent volumes share. */
const SOURCES: readonly JsonObject[] = [
  { gcePersistentDisk: {} },
  { gcePersistentDisk: { pdName: 'd', partition: 256 } },
  { awsElasticBlockStore: { volumeID: 'd', partition: -1 } },
  { flocker: {} },
  { flocker: { datasetName: 'a/b', datasetUUID: 'u' } },
  { flocker: { datasetName: 'a' } },
  { rbd: {} },
  { rbd: { monitors: ['a'], image: 'i' } },
  { cephfs: {} },
  { quobyte: {} },
  { quobyte: { registry: 'a,b:1', volume: 'v' } },
  { quobyte: { registry: 'a:1,[::1]:2', volume: 'v', tenant: 't'.repeat(65) } },
  { fc: {} },
  { fc: { targetWWNs: ['a'], wwids: ['b'], lun: 256 } },
  { fc: { targetWWNs: ['a'] } },
  { flexVolume: { options: { 'kubernetes.io/a': 'b', 'x.K8s.io': 'b', 'my/a': 'b' } } },
  { vsphereVolume: {} },
  { photonPersistentDisk: {} },
  { photonPersistentDisk: { pdID: 'p' } },
  { portworxVolume: {} },
  { azureDisk: {} },
  { azureDisk: { diskName: 'd', diskURI: 'u', kind: 'Managed', cachingMode: 'Some' } },
  { azureDisk: { diskName: 'd', diskURI: 'u', kind: 'Dedicated' } },
  { azureDisk: { diskName: 'd', diskURI: 'u', kind: 'Odd' } },
  { scaleIO: {} },
  { iscsi: {} },
  { iscsi: { targetPortal: 'p', iqn: 'abc', lun: 300, chapAuthSession: true } },
  { iscsi: { targetPortal: 'p', iqn: 'iqn.2020-01.a', initiatorName: 'eui.1' } },
  { iscsi: { targetPortal: 'p'.repeat(64), iqn: 'naa.1', initiatorName: 'x' } },
  { iscsi: { targetPortal: 'p', iqn: 'iqn.2020-01.a:b', secretRef: {} } },
  { cinder: { volumeID: 'v', secretRef: {} } },
  { storageos: {} },
  { storageos: { volumeName: 'A_', volumeNamespace: 'B_', secretRef: {} } },
  { glusterfs: {} },
  { glusterfs: { endpoints: 'e', path: 'p' } },
  { azureFile: {} },
];

const POD_VOLUMES: readonly JsonObject[] = [
  { emptyDir: { sizeLimit: '-1' } },
  { emptyDir: {}, hostPath: { path: '/a' }, cephfs: { monitors: ['a'] }, downwardAPI: {} },
  { hostPath: { path: '../a', type: 'Odd' } },
  { gitRepo: { directory: '../a' } },
  { gitRepo: { repository: 'r', directory: '/a' } },
  { nfs: { server: 's', path: 'a' } },
  { secret: { secretName: 's', defaultMode: 512, items: [file('/a'), file('../b'), file('..c'), {}] } },
  { configMap: { name: 'm', items: [{ key: 'k', path: 'p', mode: -1 }] } },
  { downwardAPI: { items: [{ path: '' }, { path: 'a', fieldRef: { fieldPath: 'metadata.name' } }] } },
  { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'spec.nodeName' } }] } },
  { downwardAPI: { items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }] } },
  { csi: {} },
  { csi: { driver: 'A_b', nodePublishSecretRef: {} } },
  { csi: { driver: 'd'.repeat(64), nodePublishSecretRef: { name: 's' } } },
  { ephemeral: {} },
  { ephemeral: { volumeClaimTemplate: { spec: {} } } },
  { persistentVolumeClaim: {} },
  { image: {} },
  { image: { reference: 'r', pullPolicy: 'Odd' } },
  {},
];

/** Pods with volumes of every source. */
export const podsWithVolumes: readonly JsonObject[] = [
  ...[...POD_VOLUMES, ...SOURCES].map(volume),
  projected({ secret: {} }, { configMap: { name: 'm', items: [file('a'), file('a')] } }),
  projected({ secret: { name: 's', items: [file('x')] } }, { configMap: { name: 'm', items: [file('x')] } }),
  projected({
    downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] },
    secret: { name: 's' },
  }),
  projected({ serviceAccountToken: { path: '', expirationSeconds: 1 } }),
  projected({}),
];

/** Persistent volumes of every source. */
export const persistentVolumes: readonly JsonObject[] = [
  ...SOURCES.map(persistent),
  persistent({
    csi: { driver: 'd', controllerPublishSecretRef: {}, nodeExpandSecretRef: { name: 's' } },
  }),
  persistent({ glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: '' } }),
  persistent({ azureFile: { secretName: 's', shareName: 's', secretNamespace: '' } }),
];

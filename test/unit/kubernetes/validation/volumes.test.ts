import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { objectErrors } from '../../../../lib/kubernetes/validation/index.ts';
import { PODS } from '../../server/fixtures.ts';

const container = { name: 'c', image: 'i', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' };

/** The errors of a volume from this source as `field detail`, in the words of kube-apiserver. */
async function wrong(source: JsonObject): Promise<string[]> {
  const spec = {
    containers: [container],
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    volumes: [{ name: 'v', ...source }],
  };
  const errors = await objectErrors({
    type: PODS,
    body: { metadata: { name: 'x', namespace: 'default' }, spec },
  });
  return errors.map(({ field, detail }) => `${field.replace('spec.volumes[0]', 'v')} ${detail}`.trim());
}

describe('a volume', () => {
  const keys = (path: string) => ({ name: 'm', items: [{ key: 'k', path }] });

  it.each<[JsonObject, string[]]>([
    [{ flocker: { datasetName: 'a' } }, []],
    [{ photonPersistentDisk: { pdID: 'p' } }, []],
    [{ quobyte: { registry: 'a:1,[::1]:2', volume: 'v' } }, []],
    [
      { quobyte: { registry: 'a', volume: 'v' } },
      ['v.quobyte.registry must be a host:port pair or multiple pairs separated by commas'],
    ],
    [{ rbd: {} }, ['v.rbd.monitors', 'v.rbd.image']],
    [
      { gcePersistentDisk: { pdName: 'd', partition: 256 } },
      ['v.persistentDisk.partition must be between 1 and 255, inclusive'],
    ],
    [{ fc: { targetWWNs: ['a'] } }, ['v.fc.lun lun is required if targetWWNs is specified']],
    [
      { iscsi: { targetPortal: 'p', iqn: 'abc', chapAuthSession: true } },
      ['v.iscsi.iqn must be valid format starting with iqn, eui, or naa', 'v.iscsi.secretRef'],
    ],
    [
      { flexVolume: { driver: 'a/b', options: { 'x.K8s.io/y': '' } } },
      ['v.flexVolume.options[x.K8s.io/y] kubernetes.io and k8s.io namespaces are reserved'],
    ],
    [
      { azureDisk: { diskName: 'd', diskURI: 'u', kind: 'Managed' } },
      [
        'v.azureDisk.diskURI supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
      ],
    ],
    [{ gitRepo: { repository: 'r', directory: '../a' } }, ["v.gitRepo.directory must not contain '..'"]],
    [
      { projected: { sources: [{ secret: keys('a') }, { configMap: keys('a') }] } },
      ['v.projected conflicting duplicate paths'],
    ],
    [{ emptyDir: {}, cephfs: { monitors: ['a'] } }, ['v.cephFS may not specify more than 1 volume type']],
    [{}, ['v must specify a volume type']],
  ])('a volume from %j is refused for %j', async (source, refused) => {
    expect(await wrong(source)).toEqual(refused);
  });
});

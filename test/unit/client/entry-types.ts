/** Type tests of the entries that need other packages. Nothing runs them. */
import type { fromEnv } from '@aws-sdk/credential-provider-env';

import { awsToken } from '../../../lib/client/aws/index.ts';
import { connectKubeconfig, readKubeconfig } from '../../../lib/client/node/index.ts';
import { connect, type Kind, resource } from '../../../lib/client/objects/index.ts';
import { useLive, useObject } from '../../../lib/client/react/index.ts';
import { Device } from './objects/fleet.ts';

const winnow = connect({ url: 'http://127.0.0.1:8080' });
const devices = winnow.objects(Device, { namespace: 'default' });
const maps = winnow.objects(resource<Kind<{ data?: Record<string, string> }>>('v1', 'configmaps'));

export async function kubeconfigs(): Promise<void> {
  const cluster = await connectKubeconfig({ file: 'a', context: 'b', insecure: true, deadline: 5 });
  const model: string = (await cluster.objects(Device, { namespace: cluster.namespace }).get('a')).spec.model;
  connect(await readKubeconfig());
  // @ts-expect-error: the URL is in the kubeconfig
  await connectKubeconfig({ url: model });
  // @ts-expect-error: so is the token
  await connectKubeconfig({ token: 'a' });
}

export function principals(provider: ReturnType<typeof fromEnv>): void {
  connect({ url: 'https://a', token: awsToken({ clusterId: 'a', credentials: provider }) });
  // @ts-expect-error: the cluster is missing
  awsToken({ region: 'eu-west-1' });
  // @ts-expect-error: the secret is missing
  awsToken({ clusterId: 'a', credentials: { accessKeyId: 'a' } });
}

export function Component(): string | undefined {
  const { objects, state, error } = useLive(
    devices,
    { site: ['north'] },
    { fields: { 'spec.state': 'active' } },
  );
  // @ts-expect-error: the field has no such value
  useLive(devices, '', { fields: { 'spec.state': 'x' } });
  const { object } = useObject(maps, 'a');
  useLive(undefined);
  // @ts-expect-error: this path is not selectable
  useLive(devices, '', { fields: { 'spec.model': 'x' } });
  // @ts-expect-error: a component leaves a set by unmounting
  useLive(devices, '', { signal: new AbortController().signal });
  // @ts-expect-error: the spec has no such field
  objects[0]?.spec.modle;
  // @ts-expect-error: the objects of a view are read-only
  objects.push(objects[0]);
  // @ts-expect-error: the object may be missing
  object.data;
  // @ts-expect-error: a set has no such state
  state === 'ready';
  return objects[0]?.spec.model ?? object?.data?.a ?? error?.message;
}

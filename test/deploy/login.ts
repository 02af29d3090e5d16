import { join } from 'node:path';
import { STSClient } from '@aws-sdk/client-sts';
import type { DeployedApi } from '../../cli/kubeconfig/deployed-api.ts';
import type { ExecEntry } from '../../lib/login/index.ts';
import { eksToken, type SigningOptions } from '../support/login/eks-token.ts';
import type { HttpClient } from '../support/service/http-client.ts';
import type { ClientConfig, Target } from './targets/target.ts';

/** How long a token is used, in milliseconds; it is good for 14 minutes. */
const USED = 5 * 60_000;

type Cluster = Pick<DeployedApi, 'clusterId' | 'region'>;

/** The token that `aws eks get-token` would print: the test needs no AWS CLI. */
export async function mintToken({ clusterId, region }: Cluster, client: ClientConfig): Promise<string> {
  return eksToken({ clusterId, region, credentials: await credentialsOf(client), date: new Date() });
}

/** Those that the SDK finds. */
export function credentialsOf(client: ClientConfig): Promise<Required<SigningOptions>['credentials']> {
  return new STSClient(client).config.credentials();
}

/** Logs an HTTP client in, again and again. */
export function loginOverHttp(cluster: Cluster, { client }: Target): HttpClient['login'] {
  let token = '';
  let until = 0;
  return async () => {
    if (performance.now() > until) {
      until = performance.now() + USED;
      token = await mintToken(cluster, client);
    }
    return { authorization: `Bearer ${token}` };
  };
}

/** Logs kubectl in: the exec entry of its kubeconfig. Its home is another, the credentials are the user's. */
export function loginOfKubectl({ clusterId, region }: Cluster, { variables }: Target): ExecEntry {
  const environment = { HOME: process.env.HOME ?? '', ...variables };
  return {
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    command: process.execPath,
    args: [join(import.meta.dirname, 'print-token.ts'), clusterId, region],
    // Nothing can be taken away here, but nothing is read of what is empty.
    env: Object.entries(environment).map(([name, value = '']) => ({ name, value })),
    interactiveMode: 'Never',
    provideClusterInfo: false,
  };
}

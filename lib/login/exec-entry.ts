/** A kubeconfig's `users[].user.exec`: how kubectl and the client libraries log in. */
export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly interactiveMode: string;
  readonly provideClusterInfo: boolean;
}

export interface ExecEntryOptions {
  /** The stack's output `ClusterId`. */
  readonly clusterId: string;
  /** The region of the stack. */
  readonly region: string;
  /** A profile of the AWS CLI; without it, the AWS CLI uses the settings of the shell. */
  readonly profile?: string;
}

/** The exec entry that `aws eks update-kubeconfig` writes: it runs an unmodified AWS CLI, 1.16 or later. */
export function execEntry({ clusterId, region, profile }: ExecEntryOptions): ExecEntry {
  return {
    // The version that every AWS CLI in use and every kubectl since 1.11 speak.
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    command: 'aws',
    args: ['--region', region, 'eks', 'get-token', '--cluster-name', clusterId, '--output', 'json'],
    ...(profile === undefined ? {} : { env: [{ name: 'AWS_PROFILE', value: profile }] }),
    interactiveMode: 'IfAvailable',
    provideClusterInfo: false,
  };
}

import { type Command, InvalidArgumentError } from 'commander';
import { readAllowedHosts } from '../../infra/loopback-guard/index.ts';
import {
  type Derivable,
  readAuthorLife,
  readDerivable,
  readRequestRate,
  readServiceRange,
  readWatchCap,
} from '../../lib/platform/index.ts';

export interface StartOptions {
  readonly port: number;
  readonly kubeconfig: string;
  readonly data?: string;
  readonly derived?: readonly Derivable[];
  readonly serviceClusterIpRange?: string;
  readonly placement: boolean;
  readonly addedAffinity?: string;
  readonly hardPodAffinityWeight?: number;
  readonly auditPolicy?: string;
  readonly auditQueue?: string;
  readonly canary: boolean;
  readonly watchesPerUser?: number;
  readonly requestsPerUser?: string;
  readonly authorNotSeenAfter?: string;
  readonly tls: boolean;
  readonly auth: boolean;
  readonly allowedHosts?: readonly string[];
  readonly tokenAuthFile?: string;
  readonly authenticationConfig?: string;
  readonly serviceAccountTokens: boolean;
}

export function addStart(program: Command): void {
  program
    .command('start')
    .description('keep Winnow running on this machine, on embedded DynamoDB and SQS')
    .option('--port <number>', 'where the API listens, on loopback; 0 takes a free one', parsePort, 8080)
    .option('--kubeconfig <file>', 'where to write a kubeconfig for it', '.winnow/kubeconfig')
    .option('--data <folder>', 'keep the table there; without it everything goes when Winnow stops')
    .option(
      '--derived <what>',
      'what to derive from objects: status, endpointslices, leases; with namespaces, only where a namespace asks for it',
      parseDerived,
    )
    .option(
      '--service-cluster-ip-range <cidr>',
      'the network that Services are given their addresses of; 10.96.0.0/12 by default',
      parseRange,
    )
    .option('--placement', 'bind the pods whose schedulerName is winnow to nodes', false)
    .option(
      '--added-affinity <file>',
      'a node affinity that every pod has besides its own where pods are placed',
    )
    .option(
      '--hard-pod-affinity-weight <number>',
      'what a required affinity of running pods counts for where nodes are compared, 0 to 100; 1 by default',
      parseWeight,
    )
    .option('--audit-policy <file>', 'print what this audit policy (audit.k8s.io/v1) asks for')
    .option('--audit-queue <name>', 'send that to this queue as well, which is made')
    .option('--canary', 'try every minute whether changes are listed and told; say so where not', false)
    .option(
      '--watches-per-user <number>',
      'how many watches one user may have open at once; any number by default',
      parseWatches,
    )
    .option(
      '--allowed-hosts <names>',
      'names that clients may call it by beside 127.0.0.1, localhost and [::1], separated by commas',
      parseHosts,
    )
    .option(
      '--requests-per-user <rate>',
      'with --auth: requests a second and at once that one user may make, such as 50/200; any number by default',
      parseRate,
    )
    .option(
      '--author-not-seen-after <time>',
      'stop delivery for a user who is not seen for so long, such as 90s; 30d by default',
      parseTime,
    )
    .option('--tls', 'speak HTTPS, with a certificate that the kubeconfig trusts', false)
    .option('--auth', 'ask for a token, over HTTPS; that of an administrator is in the kubeconfig', false)
    .option('--token-auth-file <file>', 'whose tokens to take beside that: token,user,uid,"group,group"')
    .option(
      '--authentication-config <file>',
      'whose tokens to take beside those: an AuthenticationConfiguration of Kubernetes',
    )
    .option(
      '--service-account-tokens',
      'give tokens to service accounts (kubectl create token), with --auth',
      false,
    )
    .action(async (options: StartOptions) => {
      const { start } = await import('./start.ts');
      await start(options);
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('That is not a port.');
  return port;
}

function parseWeight(text: string): number {
  const weight = Number(text);
  const isWeight = /^\d+$/.test(text) && weight <= 100;
  if (!isWeight) throw new InvalidArgumentError('That is not a number from 0 to 100.');
  return weight;
}

function parseWatches(text: string): number {
  return understood(() => readWatchCap(text));
}

function parseHosts(text: string): readonly string[] {
  return understood(() => readAllowedHosts(text));
}

function parseRate(text: string): string {
  understood(() => readRequestRate(text));
  return text;
}

function parseTime(text: string): string {
  understood(() => readAuthorLife(text));
  return text;
}

function parseDerived(text: string): readonly Derivable[] {
  return understood(() => readDerivable(text.split(',')));
}

function parseRange(text: string): string {
  understood(() => readServiceRange(text));
  return text;
}

function understood<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

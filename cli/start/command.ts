import { type Command, InvalidArgumentError } from 'commander';
import {
  type Derivable,
  readAuthorLife,
  readDerivable,
  readHistoryDays,
  readRequestRate,
  readServiceRange,
  readWatchCap,
} from '../../lib/platform/index.ts';
import { parseHosts, parsePort, understood } from '../option-values.ts';
import type { StartOptions } from './options.ts';

/** Adds the command `start` to the program. */
export function addStart(program: Command): void {
  program
    .command('start')
    .description('keep Winnow running on this machine, on embedded DynamoDB and SQS')
    .option('--port <number>', 'the port of the API, on loopback; 0 picks a free one', parsePort, 8080)
    .option(
      '--console-port <number>',
      'the port of the console, on loopback; 0 picks a free one (default: 8081, if it is free)',
      parsePort,
    )
    .option('--no-console', 'do not serve the console')
    .option('--kubeconfig <file>', 'the kubeconfig to write', '.winnow/kubeconfig')
    .option(
      '--data <folder>',
      'store the table in this folder; without this option all data is lost when Winnow stops',
    )
    .option(
      '--derived <what>',
      'what to derive from objects: status, endpointslices, leases; add "namespaces" to derive only in namespaces with the label winnow.dev/derived',
      parseDerived,
    )
    .option(
      '--service-cluster-ip-range <cidr>',
      'the network of the addresses of Services (default: 10.96.0.0/12)',
      parseRange,
    )
    .option('--placement', 'bind pods with schedulerName winnow to nodes', false)
    .option(
      '--added-affinity <file>',
      'a file with a node affinity that placement adds to the node affinity of every pod, or a KubeSchedulerConfiguration',
    )
    .option(
      '--hard-pod-affinity-weight <number>',
      'the weight of required affinities of running pods in the score of nodes, 0 to 100 (default: 1)',
      parseWeight,
    )
    .option('--sample', 'create a sample inventory of some 400 objects, and change it slowly', false)
    .option(
      '--webhooks <places>',
      'the places that admission webhooks may name: loopback, services (all URLs and Services), or a file with a list (default: loopback)',
    )
    .option('--audit-policy <file>', 'print the audit events of this policy (audit.k8s.io/v1)')
    .option('--audit-queue <name>', 'create this queue, and send it the audit events too')
    .option('--canary', 'test every minute that changes are listed and delivered, and report failures', false)
    .option(
      '--watches-per-user <number>',
      'with --auth: how many watches one user may have open at once (default: no limit)',
      parseWatches,
    )
    .option(
      '--allowed-hosts <names>',
      'more host names that clients may use besides 127.0.0.1, localhost and [::1], separated by commas',
      parseHosts,
    )
    .option(
      '--requests-per-user <rate>',
      'with --auth: requests per second and burst of one user, such as 50/200 (default: no limit)',
      parseRate,
    )
    .option(
      '--author-not-seen-after <time>',
      'stop delivery for a user who makes no request for this time, such as 90s (default: 30d)',
      parseTime,
    )
    .option(
      '--history-days <number>',
      'the days for which Winnow keeps history, 1 to 35 (default: 1)',
      parseDays,
    )
    .option('--no-signal', 'do not wake watches after a write; they only poll the table, as on AWS')
    .option('--tls', 'serve HTTPS, with a certificate that the kubeconfig trusts', false)
    .option('--auth', "require a token, over HTTPS; the kubeconfig gets an administrator's token", false)
    .option(
      '--token-auth-file <file>',
      'with --auth: a file of tokens to accept: token,user,uid,"group,group"',
    )
    .option(
      '--authentication-config <file>',
      'with --auth: issuers of tokens to accept, as an AuthenticationConfiguration of Kubernetes',
    )
    .option(
      '--client-ca-file <file>',
      'with --auth: authorities of client certificates to accept, in PEM; the common name is the user, each organization a group',
    )
    .option(
      '--service-account-tokens',
      'with --auth: issue tokens to service accounts (kubectl create token)',
      false,
    )
    .option(
      '--no-service-account-admission',
      'with --service-account-tokens: do not give pods a service account and its token',
    )
    .action(async (options: StartOptions) => {
      const { start } = await import('./start.ts');
      await start(options);
    });
}

function parseWeight(text: string): number {
  const weight = Number(text);
  const isWeight = /^\d+$/.test(text) && weight <= 100;
  if (!isWeight) throw new InvalidArgumentError('It must be a whole number from 0 to 100.');
  return weight;
}

function parseWatches(text: string): number {
  return understood(() => readWatchCap(text));
}

function parseRate(text: string): string {
  understood(() => readRequestRate(text));
  return text;
}

function parseTime(text: string): string {
  understood(() => readAuthorLife(text));
  return text;
}

function parseDays(text: string): number {
  return understood(() => readHistoryDays(text));
}

function parseDerived(text: string): readonly Derivable[] {
  return understood(() => readDerivable(text.split(',')));
}

function parseRange(text: string): string {
  understood(() => readServiceRange(text));
  return text;
}

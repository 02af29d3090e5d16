import { type Command, Option } from 'commander';
import type { AccessOptions } from '../connection/index.ts';
import { withEndpoint } from '../endpoint-options.ts';

export interface CanReachOptions extends AccessOptions {
  readonly namespace: string;
  readonly protocol: string;
  readonly ipFamily?: string;
  readonly output: 'text' | 'json';
}

const NOTES = `
An end is a pod (pod/web-1, pod/NAMESPACE/web-1), a pod that has such labels
(pod/app=web,tier=front, pod/NAMESPACE/app=web), or an address (192.0.2.1). The
port is a number, or a name that the destination's containers give it. The
answer is that of the NetworkPolicies which are there, not of a network: nothing is
sent. It ends with 0 where it is yes, and with 1 otherwise.`;

export function addCanReach(program: Command): void {
  const command = program
    .command('can-reach')
    .description('say whether NetworkPolicies let one end reach another, and which rule says so')
    .argument('<from>', 'who opens the connection: pod/web-1')
    .argument('<to>', 'whom to, with the port: pod/db-1:5432, [2001:db8::1]:443')
    .option('-n, --namespace <name>', 'of ends that name none', 'default')
    .addOption(new Option('--protocol <name>', 'of the port').choices(['TCP', 'UDP', 'SCTP']).default('TCP'))
    .addOption(
      new Option('--ip-family <name>', 'for pods that have addresses of both').choices(['IPv4', 'IPv6']),
    )
    .addOption(
      new Option('-o, --output <format>', 'in words, or the answer as JSON')
        .choices(['text', 'json'])
        .default('text'),
    );
  withEndpoint(command)
    .addHelpText('after', NOTES)
    .action(async (from: string, to: string, options: CanReachOptions) => {
      const { canReach } = await import('./can-reach.ts');
      await canReach(from, to, options);
    });
}

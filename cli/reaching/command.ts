import { type Command, Option } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import type { CanReachOptions } from './options.ts';

const NOTES = `
An end is a pod (pod/web-1, pod/NAMESPACE/web-1), a pod with these labels
(pod/app=web,tier=front, pod/NAMESPACE/app=web), or an address (192.0.2.1). The
port is a number, or the name of a port of the destination's containers. The
command evaluates the stored NetworkPolicies and sends nothing over a network.
The exit code is 0 if the answer is yes, and 1 otherwise.`;

/** Adds the command `can-reach` to the program. */
export function addCanReach(program: Command): void {
  const command = program
    .command('can-reach')
    .description('show whether NetworkPolicies allow a connection, and which rule decides')
    .argument('<from>', 'the source of the connection: pod/web-1')
    .argument('<to>', 'the destination with its port: pod/db-1:5432, [2001:db8::1]:443')
    .option('-n, --namespace <name>', 'the namespace of an end that names no namespace', 'default')
    .addOption(
      new Option('--protocol <name>', 'the protocol of the port')
        .choices(['TCP', 'UDP', 'SCTP'])
        .default('TCP'),
    )
    .addOption(
      new Option('--ip-family <name>', 'the address family, for pods with both').choices(['IPv4', 'IPv6']),
    )
    .addOption(
      new Option('-o, --output <format>', 'sentences, or the answer as JSON')
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

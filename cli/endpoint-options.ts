import { type Command, Option } from 'commander';

/** A command with the options that say which endpoint it asks: those of {@link AccessOptions}. */
export function withEndpoint(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'of the endpoint; otherwise $KUBECONFIG, otherwise .winnow/kubeconfig')
    .option('--context <name>', 'of the kubeconfig, instead of its current one')
    .addOption(
      new Option('--url <url>', 'an endpoint that asks for no login').conflicts(['kubeconfig', 'context']),
    );
}

import { type Command, Option } from 'commander';

/** Adds the options of {@link AccessOptions}, which name the endpoint of a command. */
export function withEndpoint(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'the kubeconfig (default: $KUBECONFIG, otherwise .winnow/kubeconfig)')
    .option('--context <name>', 'a context of the kubeconfig, instead of its current one')
    .addOption(
      new Option('--url <url>', 'the URL of an endpoint that requires no login').conflicts([
        'kubeconfig',
        'context',
      ]),
    );
}

import { type Command, Option } from 'commander';
import type { AccessOptions } from '../connection/index.ts';

const NOTES = `
Everything it writes is in a namespace of its own with a random name, which it
removes in the end, also when it fails or is interrupted; it touches nothing
else. It ends with 0 only if all that was checked is right, with 1 otherwise,
and with 2 for a command line that it does not understand.

Reading the queue takes SQS. That of a local Winnow is found by its URL; on AWS
the credentials in the standard variables or files need sqs:ReceiveMessage and
sqs:DeleteMessage. Without them delivery is told as not checked.`;

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'write, list, watch, deliver and clean up against any endpoint, and say what is wrong in words',
    )
    .option('--kubeconfig <file>', 'of the endpoint; otherwise $KUBECONFIG, otherwise .winnow/kubeconfig')
    .option('--context <name>', 'of the kubeconfig, instead of its current one')
    .addOption(
      new Option('--url <url>', 'an endpoint that asks for no login').conflicts(['kubeconfig', 'context']),
    )
    .addHelpText('after', NOTES)
    .action(async (options: AccessOptions) => {
      const { doctor } = await import('./doctor.ts');
      await doctor(options);
    });
}

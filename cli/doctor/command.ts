import { type Command, Option } from 'commander';
import type { AccessOptions } from '../connection/index.ts';
import { withEndpoint } from '../endpoint-options.ts';

interface DoctorOptions extends AccessOptions {
  readonly alarms?: true;
  readonly concurrency?: true;
  readonly stack?: string;
}

const STACK = 'Winnow';

const NOTES = `
Everything it writes is in a namespace of its own with a random name, which it
removes in the end, also when it fails or is interrupted; it touches nothing
else. It ends with 0 only if all that was checked is right, with 1 otherwise,
and with 2 for a command line that it does not understand.

With --alarms it looks at the alarms of a deployed stack instead, and writes
nothing: whether they are there, what state they are in, whether they reach their
topic, and whether anybody has subscribed to it. That takes the credentials and the
region in the standard variables or files, which need
cloudformation:ListStackResources, cloudwatch:DescribeAlarms,
sns:GetTopicAttributes and sns:ListSubscriptionsByTopic.

With --concurrency it asks Lambda how many functions the account may run at once,
in that region; this needs lambda:GetAccountSettings.

Reading the queue takes SQS. That of a local Winnow is found by its URL; on AWS
the credentials in the standard variables or files need sqs:ReceiveMessage and
sqs:DeleteMessage. Without them delivery is told as not checked.`;

export function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description(
      'write, list, watch, deliver and clean up against any endpoint, and say what is wrong in words',
    );
  withEndpoint(command)
    .addOption(
      new Option('--alarms', 'look at the alarms of a stack, and at nothing else').conflicts([
        'url',
        'kubeconfig',
        'context',
      ]),
    )
    .addOption(
      new Option(
        '--concurrency',
        'compare what Lambda runs at once in the account with what Winnow needs, and nothing else',
      ).conflicts(['url', 'kubeconfig', 'context', 'alarms']),
    )
    .option('--stack <name>', `with --alarms: of which stack; ${STACK} unless said otherwise`)
    .addHelpText('after', NOTES)
    .action(async (options: DoctorOptions) => {
      const { alarms, concurrency, stack } = options;
      if (stack !== undefined && alarms === undefined) {
        command.error(
          'error: --stack is of no use without --alarms: --kubeconfig or --url say which endpoint',
        );
      }
      const { doctor, doctorOfAlarms, doctorOfConcurrency } = await import('./doctor.ts');
      if (concurrency === true) return doctorOfConcurrency();
      await (alarms === true ? doctorOfAlarms(stack ?? STACK) : doctor(options));
    });
}

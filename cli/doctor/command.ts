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
The doctor creates a namespace with a random name, writes only in it, and removes
it at the end, even after a failure or an interruption. The exit code is 0 if
every check succeeded, 1 otherwise, and 2 for an invalid command line.

With --alarms it checks the alarms of a deployed stack instead, and writes nothing:
whether they exist, their states, whether they reach their topic, and whether the
topic has subscribers. It uses the credentials and the region in the standard
variables or files, which need cloudformation:ListStackResources,
cloudwatch:DescribeAlarms, sns:GetTopicAttributes and
sns:ListSubscriptionsByTopic.

With --concurrency it asks Lambda how many functions the account may run at once
in that region; this needs lambda:GetAccountSettings.

To check delivery, the doctor reads an SQS queue. On AWS the credentials in the
standard variables or files need sqs:ReceiveMessage and sqs:DeleteMessage; without
them the report says "not checked". A local Winnow needs no credentials.`;

/** Adds the command `doctor` to the program. */
export function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description('check an endpoint: write, list, watch, deliver and clean up, and explain what is wrong');
  withEndpoint(command)
    .addOption(
      new Option('--alarms', 'check only the alarms of a stack').conflicts(['url', 'kubeconfig', 'context']),
    )
    .addOption(
      new Option(
        '--concurrency',
        'only compare the Lambda concurrency of the account with what Winnow needs',
      ).conflicts(['url', 'kubeconfig', 'context', 'alarms']),
    )
    .option('--stack <name>', `with --alarms: the name of the stack (default: ${STACK})`)
    .addHelpText('after', NOTES)
    .action(async (options: DoctorOptions) => {
      const { alarms, concurrency, stack } = options;
      if (stack !== undefined && alarms === undefined) {
        command.error('error: --stack needs --alarms; use --kubeconfig or --url to name an endpoint');
      }
      const { doctor, doctorOfAlarms, doctorOfConcurrency } = await import('./doctor.ts');
      if (concurrency === true) return doctorOfConcurrency();
      await (alarms === true ? doctorOfAlarms(stack ?? STACK) : doctor(options));
    });
}

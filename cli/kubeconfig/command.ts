import { type Command, Option } from 'commander';
import type { KubeconfigOptions } from './options.ts';

const NOTES = `
The context is winnow-STACK-REGION, or winnow-local-PORT with --local. The command
replaces a file that winnow wrote, and says so if the old file described another server. It
does not change any other kubeconfig unless you set --force. It merges nothing: to
let kubectl read both, set KUBECONFIG=$HOME/.kube/config:.winnow/kubeconfig.

The kubeconfig of a deployed stack logs in with "aws eks get-token" and the
credentials that the AWS CLI finds; it stores the value of AWS_PROFILE. For an
emulator, set AWS_ENDPOINT_URL as for "cdk deploy".`;

/** Adds the command `kubeconfig` to the program. */
export function addKubeconfig(program: Command): void {
  program
    .command('kubeconfig')
    .description('write a kubeconfig for a deployed stack, or for a running "npm start"')
    .addOption(
      new Option('--outputs <file>', 'the file that "cdk deploy --outputs-file" wrote for one stack').default(
        '.winnow/outputs.json',
      ),
    )
    .addOption(
      new Option('--stack <name>', 'read the outputs of this stack, using the AWS CLI').conflicts('outputs'),
    )
    .addOption(
      new Option('--local [url]', 'a running "npm start" (default: http://127.0.0.1:8080)').conflicts([
        'outputs',
        'stack',
      ]),
    )
    .option(
      '--kubeconfig <file>',
      'the file to write (default: .winnow/kubeconfig-STACK-REGION; with --local .winnow/kubeconfig)',
    )
    .option('--force', 'replace a kubeconfig that winnow did not write')
    .addHelpText('after', NOTES)
    .action(async (options: KubeconfigOptions) => {
      const { kubeconfig } = await import('./kubeconfig.ts');
      await kubeconfig(options);
    });
}

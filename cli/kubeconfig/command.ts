import { type Command, Option } from 'commander';

export interface KubeconfigOptions {
  readonly outputs: string;
  readonly stack?: string;
  /** `true` for the URL that `winnow start` takes by itself. */
  readonly local?: string | true;
  readonly kubeconfig: string;
  readonly force?: boolean;
}

const NOTES = `
It replaces a file that winnow wrote, and leaves any other kubeconfig alone
unless there is --force. It merges nothing: to have kubectl read both, set
KUBECONFIG=$HOME/.kube/config:.winnow/kubeconfig.

The kubeconfig of a deployed stack logs in with "aws eks get-token", with the
credentials that the AWS CLI finds (AWS_PROFILE is kept in it). For an emulator,
set AWS_ENDPOINT_URL as for "cdk deploy".`;

export function addKubeconfig(program: Command): void {
  program
    .command('kubeconfig')
    .description('write a kubeconfig for a deployed stack, or for a running "npm start"')
    .addOption(
      new Option('--outputs <file>', 'of what "cdk deploy --outputs-file" wrote, of one stack').default(
        '.winnow/outputs.json',
      ),
    )
    .addOption(
      new Option('--stack <name>', 'of the stack of that name, asked with the AWS CLI').conflicts('outputs'),
    )
    .addOption(
      new Option('--local [url]', 'of a running "npm start" (at http://127.0.0.1:8080)').conflicts([
        'outputs',
        'stack',
      ]),
    )
    .option('--kubeconfig <file>', 'where to write it', '.winnow/kubeconfig')
    .option('--force', 'replace a kubeconfig that winnow did not write')
    .addHelpText('after', NOTES)
    .action(async (options: KubeconfigOptions) => {
      const { kubeconfig } = await import('./kubeconfig.ts');
      await kubeconfig(options);
    });
}

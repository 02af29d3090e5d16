import type { Command } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import type { VerifyOptions } from './options.ts';

const NOTES = `
It needs a Subscription with spec.verify: true, whose status holds the count and the
digest of the set that its queue received. The command compares them with a LIST at
the same resourceVersion, and does not read the queue. The exit code is 0 if both are
equal, and 1 if they differ or cannot be compared.`;

/** Adds the command `verify` to the program. */
export function addVerify(program: Command): void {
  const command = program
    .command('verify')
    .description('compare the set that a Subscription delivered with a LIST')
    .argument('<name>', 'the name of the Subscription')
    .option('-n, --namespace <name>', 'the namespace of the Subscription', 'default');
  withEndpoint(command)
    .addHelpText('after', NOTES)
    .action(async (name: string, options: VerifyOptions) => {
      const { verify } = await import('./verify.ts');
      await verify(name, options);
    });
}

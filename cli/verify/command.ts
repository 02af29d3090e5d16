import type { Command } from 'commander';
import type { AccessOptions } from '../connection/index.ts';
import { withEndpoint } from '../endpoint-options.ts';

export interface VerifyOptions extends AccessOptions {
  readonly namespace: string;
}

const NOTES = `
Of a Subscription with spec.verify: true. Its status says count and digest of what
its queue was told; a LIST at the same resourceVersion says what there is. The
queue is left alone. It ends with 0 where both are the same, and with 1 where they
differ, or where it cannot be told.`;

export function addVerify(program: Command): void {
  const command = program
    .command('verify')
    .description('compare what a Subscription told its queue with what there is')
    .argument('<name>', 'of the Subscription')
    .option('-n, --namespace <name>', 'of the Subscription', 'default');
  withEndpoint(command)
    .addHelpText('after', NOTES)
    .action(async (name: string, options: VerifyOptions) => {
      const { verify } = await import('./verify.ts');
      await verify(name, options);
    });
}

import { type Command, Option } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import type { ListOptions, RevokeOptions } from './options.ts';

const AUTHOR = 'a username, system:serviceaccount:NAMESPACE:NAME, or the ARN of an IAM principal';

const NOTES = `
Without --delete the command sets spec.suspend of each Subscription and Tally: Winnow
sends and counts nothing more, but retains the object, its author and its queue. An
administrator resumes it by setting spec.suspend to false. The author can do the same if a
role still allows it: remove the author's login, roles and bindings first
(docs/runbook.md, "A user leaves"). The command also stops objects that the author
wrote to run as a service account (WRITER).`;

/** Adds the command `subscriptions`, with its subcommand `revoke`, to the program. */
export function addSubscriptions(program: Command): void {
  const command = program
    .command('subscriptions')
    .description('list Subscriptions and Tallies of all namespaces with their authors')
    .option('--author <name>', `only those of this author: ${AUTHOR}`)
    .addOption(
      new Option('-o, --output <format>', 'a table, or the objects as JSON')
        .choices(['text', 'json'])
        .default('text'),
    );
  withEndpoint(command).action(async (options: ListOptions) => {
    const { listAuthored } = await import('./list-authored.ts');
    await listAuthored(options);
  });
  addRevoke(command);
}

function addRevoke(parent: Command): void {
  const command = parent
    .command('revoke')
    .description('stop all Subscriptions and Tallies of one author')
    .requiredOption('--author <name>', AUTHOR)
    .option('--delete', 'delete them, and the queues of the Subscriptions')
    .option('--yes', 'do not ask for confirmation');
  withEndpoint(command)
    .addHelpText('after', NOTES)
    .action(async (options: RevokeOptions) => {
      const { revoke } = await import('./revoke.ts');
      await revoke(options);
    });
}

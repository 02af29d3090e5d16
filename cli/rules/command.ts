import { type Command, Option } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import type { RulesOptions } from './options.ts';

const NOTES = `
Without options, the command lists the rules that decide about writes now: policies
with their bindings, and webhooks.

With --try, it evaluates the admission policies of a file on stored objects, as if
each were created and updated again. Policies that change objects come first, and it
says what they would change. It stores nothing. A policy without a binding in the
file is tried as if a binding bound it everywhere, and denied. The exit code is 1 if
a write would be refused.`;

/** Adds the command `rules` to the program. */
export function addRules(program: Command): void {
  const command = program
    .command('rules')
    .description('list the admission policies and webhooks that decide about writes, or try new policies')
    .option('--try', 'evaluate the policies of a file on stored objects; needs -f', false)
    .option(
      '-f, --file <file>',
      'with --try: a YAML or JSON file of policies and bindings; - for standard input',
    )
    .option('-l, --selector <selector>', 'with --try: evaluate only objects whose labels match')
    .option('-n, --namespace <name>', 'with --try: evaluate only objects of this namespace (default: all)')
    .option('--as <user>', 'with --try: the user who writes (default: the user of the login)')
    .option('--as-group <group>', 'with --as: a group of that user; can be repeated', collect)
    .addOption(
      new Option('-o, --output <format>', 'columns, or JSON').choices(['text', 'json']).default('text'),
    );
  withEndpoint(command)
    .addHelpText('after', NOTES)
    .action(async (options: RulesOptions) => {
      if (options.try) {
        const { tryRules } = await import('./try-rules.ts');
        await tryRules(options);
      } else {
        const { listRules } = await import('./list-rules.ts');
        await listRules(options);
      }
    });
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

import { type Command, Option } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import type { FacetsOptions, SelectingOptions } from './options.ts';

const OBJECT = 'an object as kubectl names it: pod/web-1, deployments.apps/web';

/** Adds the command `who-selects` to the program. */
export function addWhoSelects(program: Command): void {
  const command = program
    .command('who-selects')
    .description('list what selects an object: services, controllers, budgets, policies, subscriptions')
    .argument('<object>', OBJECT);
  withAccess(command).action(async (object: string, options: SelectingOptions) => {
    const { whoSelects } = await import('./who-selects.ts');
    await whoSelects(object, options);
  });
}

/** Adds the command `members` to the program. */
export function addMembers(program: Command): void {
  const command = program
    .command('members')
    .description('list the objects that an object selects')
    .argument('<object>', OBJECT)
    .option(
      '--path <path>',
      'list only what the selector at this field path selects; who-selects -o json prints field paths',
    );
  withAccess(command).action(async (object: string, options: SelectingOptions) => {
    const { members } = await import('./members.ts');
    await members(object, options);
  });
}

/** Adds the command `facets` to the program. */
export function addFacets(program: Command): void {
  const command = program
    .command('facets')
    .description('count the objects of a type by the values of their labels')
    .argument('<type>', 'a type as kubectl names it: pods, deployments.apps')
    .argument('[keys...]', 'label keys; without any, every label key, the most frequent first')
    .option('--joint', 'count the combinations of the values of 2 to 4 label keys')
    .option('-l, --selector <selector>', 'count only objects whose labels match')
    .option('--field-selector <selector>', 'count only objects whose fields match')
    .option('-A, --all-namespaces', 'count objects of all namespaces');
  withAccess(command).action(async (type: string, keys: string[], options: FacetsOptions) => {
    const { facets } = await import('./facets.ts');
    await facets(type, keys, options);
  });
}

function withAccess(command: Command): Command {
  const formatted = command
    .option('-n, --namespace <name>', 'the namespace', 'default')
    .addOption(
      new Option('-o, --output <format>', 'lines, or the answer as JSON')
        .choices(['text', 'json'])
        .default('text'),
    );
  return withEndpoint(formatted);
}

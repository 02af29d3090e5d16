import type { Command } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import type { TypesOptions } from './options.ts';

/** Adds the command `types` to the program. */
export function addTypes(program: Command): void {
  const command = program
    .command('types')
    .description('write the TypeScript types of a kind, for @winnow-dev/client/objects')
    .argument('<type>', 'a type as kubectl names it: pods, devices.fleet.example');
  withEndpoint(command).action(async (type: string, options: TypesOptions) => {
    const { types } = await import('./types.ts');
    await types(type, options);
  });
}

import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { DemoOptions } from './options.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures');

/** Adds the command `demo` to the program. */
export function addDemo(program: Command): void {
  program
    .command('demo')
    .description(
      'show what Winnow does on embedded emulators, and check every answer: a tour, or your own objects',
    )
    .argument('[files...]', 'your own YAML or JSON files, as with --file')
    .option('-f, --file <files...>', 'use your own YAML or JSON files instead of the tour')
    .option('-l, --selector <selector>', 'the label selector for your own objects')
    .option('--placement', 'show placement: the examples of "Assigning Pods to Nodes", and robots')
    .addOption(
      new Option('--fixtures <folder>', 'the folder with the objects of the tour').default(
        FIXTURES,
        'test/fixtures',
      ),
    )
    .action(async (files: string[], options: DemoOptions) => {
      const { demo } = await import('./demo.ts');
      await demo({ ...options, file: [...(options.file ?? []), ...files] });
    });
}

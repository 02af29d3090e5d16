import { join } from 'node:path';
import { type Command, Option } from 'commander';

export interface DemoOptions {
  readonly file?: readonly string[];
  readonly selector?: string;
  readonly fixtures: string;
  readonly placement?: boolean;
}

const FIXTURES = join(import.meta.dirname, '../../test/fixtures');

export function addDemo(program: Command): void {
  program
    .command('demo')
    .description(
      'show the main job on embedded emulators, and check every answer: a tour, or your own objects',
    )
    .argument('[files...]', 'YAML or JSON of your own, as with --file')
    .option('-f, --file <files...>', 'the same on your own YAML or JSON, instead of the tour')
    .option('-l, --selector <selector>', 'what to select among your own')
    .option(
      '--placement',
      'which node: the examples of "Assigning Pods to Nodes" on stored objects, and robots',
    )
    .addOption(
      new Option('--fixtures <folder>', 'the tour on a copy of these: fails where that differs').default(
        FIXTURES,
        'test/fixtures',
      ),
    )
    .action(async (files: string[], options: DemoOptions) => {
      const { demo } = await import('./demo.ts');
      await demo({ ...options, file: [...(options.file ?? []), ...files] });
    });
}

import { type Command, Option } from 'commander';
import { withEndpoint } from '../endpoint-options.ts';
import type { DiffOptions, LogOptions, UndoOptions } from './options.ts';

const TYPE_OR_OBJECT = 'a type or an object as kubectl names it: pods, pod/web-1, deployments.apps/web';
const A_TIME =
  'a resourceVersion, a time such as 2026-01-02T15:04:05Z, or a duration back from now such as 90m';

const LOG_NOTES = `
One line is one change: time, resourceVersion, what happened, object, user with field
manager, and the changed fields (+ added, - removed, ~ changed). Changes of the status
alone are left out without --all. With --selector, changes are those of the selected
set: Entered, Changed, Left.`;
const UNDO_NOTES = `
It restores labels, annotations and all top-level fields but the status. It leaves
finalizers and owner references alone, and writes nothing if the object changes
meanwhile. A deleted object is created anew, without references to owners that are
gone.`;

/** Adds the command `log` to the program. */
export function addLog(program: Command): void {
  const command = program
    .command('log')
    .description('list the changes of an object or of a set, with time, user and changed fields')
    .argument('<type>', TYPE_OR_OBJECT)
    .option('-l, --selector <selector>', 'only changes of the objects whose labels match')
    .option('-A, --all-namespaces', 'objects of all namespaces')
    .option('--since <time>', 'only changes since a time, or since a duration back from now such as 2h')
    .option('--all', 'also changes of the status alone')
    .option('-p, --patch', 'show each change as a diff')
    .option('-f, --follow', 'print the last ten changes, the oldest first, and then new ones');
  withOutput(command, 'lines, or one JSON object a line')
    .addHelpText('after', LOG_NOTES)
    .action(async (named: string, options: LogOptions) => {
      const { log } = await import('./log.ts');
      await log(named, options);
    });
}

/** Adds the command `diff` to the program. */
export function addDiff(program: Command): void {
  const command = program
    .command('diff')
    .description('compare an object or a set with what it was; exit code 1 if anything differs')
    .argument('<type>', TYPE_OR_OBJECT)
    .requiredOption('--at <time>', `the earlier side: ${A_TIME}`)
    .option('--to <time>', 'the later side, in the same forms (default: now)')
    .option('-l, --selector <selector>', 'only objects whose labels match')
    .option('-A, --all-namespaces', 'objects of all namespaces')
    .option('-p, --patch', 'show each changed object as a diff');
  withOutput(command, 'lines, or JSON').action(async (named: string, options: DiffOptions) => {
    const { diff } = await import('./diff.ts');
    await diff(named, options);
  });
}

/** Adds the command `undo` to the program. */
export function addUndo(program: Command): void {
  const command = program
    .command('undo')
    .description('put an object back as it was at a resourceVersion, after showing the difference')
    .argument('<object>', 'an object as kubectl names it: pod/web-1, deployments.apps/web')
    .option('--to <resourceVersion>', 'the state to restore (default: the one before the last change)')
    .addOption(new Option('--dry-run <mode>', 'only show the difference').choices(['server']))
    .option('-y, --yes', 'do not ask');
  withOutput(command, 'lines, or the object as JSON')
    .addHelpText('after', UNDO_NOTES)
    .action(async (object: string, options: UndoOptions) => {
      const { undo } = await import('./undo.ts');
      await undo(object, options);
    });
}

function withOutput(command: Command, formats: string): Command {
  const formatted = command
    .option('-n, --namespace <name>', 'the namespace', 'default')
    .addOption(new Option('-o, --output <format>', formats).choices(['text', 'json']).default('text'));
  return withEndpoint(formatted);
}

import {
  systemClock as clock,
  silentLogger as logger,
  systemRandom as random,
} from '../../lib/platform/index.ts';
import { restoreTable } from '../../lib/server/restore/index.ts';
import { createScan, openTable } from '../../lib/store/dynamodb/index.ts';
import { RestoreUnderwayError, readRestoreProgress, retryingTable } from '../../lib/store/index.ts';
import { Fault } from '../connection/index.ts';
import { screen } from '../screen.ts';
import type { RestoreCommandOptions } from './command.ts';
import { TableSettings } from './table-settings.ts';

/** How long a restore tries what the table does not answer, in ms, all in all. */
const PATIENCE = 24 * 3_600_000;

/**
 * Makes a copy of a table good, and says what is left to do.
 *
 * @throws {Fault} it is no table of Winnow, or there is none, or a stack or another restore is at work on it.
 */
export async function restore({ table: tableName, lost }: RestoreCommandOptions): Promise<void> {
  const settings = new TableSettings(tableName);
  const { id, isStreaming } = await settings.check();
  const dynamo = openTable({ tableName, clock });
  const table = retryingTable({ table: dynamo, clock, random, deadline: clock.deadline(PATIENCE) });
  if (isStreaming && (await readRestoreProgress(table))?.id !== id) throw inUse(tableName);
  await restoreTable({
    id,
    table,
    scan: createScan({ tableName }),
    clock,
    random,
    logger,
    lostSeconds: lost,
    say: screen.say,
  }).catch(explain);
  for (const line of await settings.switchOn()) screen.say(line);
  const stream = await settings.stream();
  screen.say(`Done. Now have the stack use it:`);
  screen.command(`npx cdk deploy -c tableStream=${stream ?? '<the ARN of its stream>'}`);
}

function explain(error: unknown): never {
  if (!(error instanceof RestoreUnderwayError)) throw error;
  const advice = 'Wait for it: who comes when it is over goes on from there.';
  throw new Fault({ what: `${error.message}. ${advice}`, advice });
}

/** Under the functions that work on it, each step would do harm. */
function inUse(table: string): Fault {
  const advice = `If it is the copy all the same, and nothing works on it: aws dynamodb update-table --table-name ${table} --stream-specification StreamEnabled=false`;
  const what = `${table} has a stream, so it is the table of a stack, and no copy that point-in-time recovery made. ${advice}`;
  return new Fault({ what, advice });
}

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
import type { RestoreCommandOptions } from './options.ts';
import { TableSettings } from './table-settings.ts';

/** The total time for which a restore retries table calls that fail, in ms. */
const PATIENCE = 24 * 3_600_000;

/**
 * Repairs a copied table, and prints what is left to do.
 *
 * @throws {Fault} the table does not exist, is not a Winnow table, or a stack or another restore uses it.
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
  screen.say('Done. Now deploy the stack with this table:');
  screen.command(`npx cdk deploy -c tableStream=${stream ?? '<the ARN of its stream>'}`);
}

function explain(error: unknown): never {
  if (!(error instanceof RestoreUnderwayError)) throw error;
  const advice = 'Wait until that restore ends, then run the command again; it continues from there.';
  throw new Fault({ what: error.message, advice });
}

/** The error for a table of a running stack. Each step of a restore would damage such a table. */
function inUse(table: string): Fault {
  const advice = `If it is the copy and no stack uses it, run: aws dynamodb update-table --table-name ${table} --stream-specification StreamEnabled=false`;
  const what = `${table} has a stream, so it belongs to a stack and is not a copy by point-in-time recovery`;
  return new Fault({ what, advice });
}

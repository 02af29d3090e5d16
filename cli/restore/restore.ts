import { restoreTable } from '../../lib/api/restore/index.ts';
import {
  systemClock as clock,
  silentLogger as logger,
  systemRandom as random,
} from '../../lib/platform/index.ts';
import { createScan, openTable } from '../../lib/store/dynamodb/index.ts';
import { patientTable } from '../../lib/store/index.ts';
import { screen } from '../screen.ts';
import type { RestoreCommandOptions } from './command.ts';
import { TableSettings } from './table-settings.ts';

/** How long a restore tries what the table does not answer, in ms, all in all. */
const PATIENCE = 24 * 3_600_000;

/**
 * Makes a copy of a table good, and says what is left to do.
 *
 * @throws {Fault} it is no table of Winnow, or there is none.
 */
export async function restore({ table: tableName, lost }: RestoreCommandOptions): Promise<void> {
  const settings = new TableSettings(tableName);
  const id = await settings.check();
  const dynamo = openTable({ tableName, clock });
  const table = patientTable({ table: dynamo, clock, random, deadline: clock.deadline(PATIENCE) });
  await restoreTable({
    id,
    table,
    scan: createScan({ tableName }),
    clock,
    random,
    logger,
    lostSeconds: lost,
    say: screen.say,
  });
  for (const line of await settings.switchOn()) screen.say(line);
  const stream = await settings.stream();
  screen.say(`Done. Now have the stack use it:`);
  screen.command(`npx cdk deploy -c tableStream=${stream ?? '<the ARN of its stream>'}`);
}

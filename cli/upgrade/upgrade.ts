import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { systemClock as clock, systemRandom as random, TIMING } from '../../lib/platform/index.ts';
import { createDynamoTable } from '../../lib/store/dynamodb/index.ts';
import { KNOWN_SCHEMAS, raiseSchema, readSchema, retryingTable } from '../../lib/store/index.ts';
import { screen } from '../screen.ts';
import { describeWinnowTable } from '../winnow-table.ts';
import { explainSchema } from './explain-schema.ts';
import type { UpgradeCommandOptions } from './options.ts';

/**
 * Prints the version of the row schema; with `raise`, raises it first.
 *
 * @throws {Fault} the table does not exist, or is not a Winnow table.
 */
export async function upgrade({ table: tableName, raise }: UpgradeCommandOptions): Promise<void> {
  await describeWinnowTable(new DynamoDBClient({}), tableName);
  const deadline = clock.deadline(TIMING.request);
  const table = retryingTable({ table: createDynamoTable({ tableName, clock }), clock, random, deadline });
  const known = KNOWN_SCHEMAS;
  const state = raise ? await raiseSchema({ table, clock, known }) : await readSchema(table);
  for (const line of explainSchema(state, { known, now: clock.now() })) screen.say(line);
}

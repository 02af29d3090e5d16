import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  systemClock as clock,
  systemRandom as random,
  silentLogger,
  TIMING,
} from '../../lib/platform/index.ts';
import { rulesThatCount } from '../../lib/server/admission-policies/index.ts';
import { createDynamoTable } from '../../lib/store/dynamodb/index.ts';
import {
  createStore,
  KNOWN_SCHEMAS,
  RULES_SCHEMA,
  raiseSchema,
  readSchema,
  retryingTable,
  type Table,
} from '../../lib/store/index.ts';
import { Fault } from '../connection/index.ts';
import { screen } from '../screen.ts';
import { describeWinnowTable } from '../winnow-table.ts';
import { explainSchema } from './explain-schema.ts';
import type { UpgradeCommandOptions } from './options.ts';

/**
 * Prints the version of the row schema; with `raise`, raises it first.
 *
 * @throws {Fault} the table does not exist, or is not a Winnow table; or a stored admission policy would begin to count
 * and cannot decide.
 */
export async function upgrade({ table: tableName, raise }: UpgradeCommandOptions): Promise<void> {
  await describeWinnowTable(new DynamoDBClient({}), tableName);
  const deadline = clock.deadline(TIMING.request);
  const table = retryingTable({ table: createDynamoTable({ tableName, clock }), clock, random, deadline });
  const known = KNOWN_SCHEMAS;
  const before = await readSchema(table);
  if (raise && before.version === RULES_SCHEMA - 1 && before.from <= clock.now()) await tellRules(table);
  const state = raise ? await raiseSchema({ table, clock, known }) : before;
  for (const line of explainSchema(state, { known, now: clock.now() })) screen.say(line);
}

/** Prints the admission policies that count from the next version on. @throws {Fault} one of them cannot decide */
async function tellRules(table: Table): Promise<void> {
  const { lines, faults } = await rulesThatCount(createStore({ table, clock, random, logger: silentLogger }));
  if (faults.length > 0) {
    throw new Fault({
      what: `version ${RULES_SCHEMA} would make policies count that cannot decide:\n${faults.join('\n')}`,
      advice: 'Correct or delete these policies, or their bindings, and raise the version then.',
    });
  }
  if (lines.length > 0) screen.say(`From version ${RULES_SCHEMA} on, these rules decide writes:`);
  for (const line of lines) screen.say(line);
}

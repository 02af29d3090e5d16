import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readWebhooks } from '../../infra/local/index.ts';
import {
  systemClock as clock,
  systemRandom as random,
  silentLogger,
  TIMING,
} from '../../lib/platform/index.ts';
import { placesIn, rulesThatCount } from '../../lib/server/admission-policies/index.ts';
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
 * @throws {Fault} the table does not exist, or is not a Winnow table; or a stored admission rule would begin to count
 * and cannot decide.
 */
export async function upgrade({ table: tableName, raise, webhooks }: UpgradeCommandOptions): Promise<void> {
  await describeWinnowTable(new DynamoDBClient({}), tableName);
  const deadline = clock.deadline(TIMING.request);
  const table = retryingTable({ table: createDynamoTable({ tableName, clock }), clock, random, deadline });
  const known = KNOWN_SCHEMAS;
  const before = await readSchema(table);
  const rulesBegin = before.version === RULES_SCHEMA - 1 && before.from <= clock.now();
  if (raise && rulesBegin) await tellRules(table, webhooks);
  const state = raise ? await raiseSchema({ table, clock, known }) : before;
  for (const line of explainSchema(state, { known, now: clock.now() })) screen.say(line);
}

/**
 * Prints the admission rules that count from the next version on.
 *
 * @param file the places that the deployment permits; undefined for none
 * @throws {Fault} a rule cannot decide
 */
async function tellRules(table: Table, file: string | undefined): Promise<void> {
  const places = file === undefined ? '{}' : await readWebhooks(file);
  const store = createStore({ table, clock, random, logger: silentLogger });
  const { lines, faults } = await rulesThatCount(store, placesIn(places));
  if (faults.length > 0) {
    throw new Fault({
      what: `version ${RULES_SCHEMA} would make rules count that cannot decide:\n${faults.join('\n')}`,
      advice:
        'Correct or delete these policies, their bindings or these webhooks, and raise the version then. If the deployment has a file of -c webhooks, name it by --webhooks.',
    });
  }
  if (lines.length > 0) screen.say(`From version ${RULES_SCHEMA} on, these rules decide writes:`);
  for (const line of lines) screen.say(line);
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, it } from '@jest/globals';
import { bundleFunctions } from '../../../infra/bundle/index.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { FunctionName } from '../../../lib/platform/function-names.ts';
import { systemClock as clock, ENVIRONMENT, TIMING } from '../../../lib/platform/index.ts';
import { createDynamoTable } from '../../../lib/store/dynamodb/index.ts';
import { raiseSchema, readSchema } from '../../../lib/store/index.ts';
import { SoakClient } from '../../soak/load/soak-client.ts';
import { type Judged, SoakLoad } from '../../soak/load/soak-load.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { Mixture } from '../../support/upgrades/mixture.ts';
import { bundleNext } from '../../support/upgrades/next-bundles.ts';
import { NEXT_COUNTS, NEXT_SCHEMAS } from '../../support/upgrades/next-schema.ts';
import { bundleRelease, checkOut } from '../../support/upgrades/release.ts';

const PODS = '/api/v1/namespaces/default/pods';
/** The functions that use the table while objects are written, listed and followed, and relay. */
const NAMES: readonly FunctionName[] = ['read', 'write', 'relay', 'dispatch', 'reconcile'];
/** The duration of each mixture of versions under load, in ms. */
const STAGE = 6_000;
/** The seconds without new messages at the end. */
const RESTS = 15;

/** The requests to the old version when it must refuse to work. */
const REFUSED: readonly (readonly [method: string, path: string, body?: JsonObject])[] = [
  ['GET', PODS],
  ['GET', `${PODS}?watch=true&resourceVersion=1&timeoutSeconds=1`],
  ['POST', PODS, { metadata: { name: 'late' }, spec: { containers: [{ name: 'c', image: 'i' }] } }],
  ['PATCH', `${PODS}/late`, { metadata: { labels: { app: 'x' } } }],
  ['DELETE', `${PODS}/late`],
];

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

interface Versions {
  readonly old: string;
  readonly new: string;
}

interface Mixed {
  readonly service: Service;
  readonly mixture: Mixture;
  readonly client: SoakClient;
}

/** Starts Winnow with invocations divided between two versions. At first the old version gets all. */
async function startMixed(versions: Versions): Promise<Mixed> {
  const mixture = new Mixture();
  const folder = await temporaryFolder();
  const service = await startService({
    fault: { bundles: (built) => mixture.bundlesOf(built, { ...versions, folder }) },
  });
  undo.push(service.stop);
  return { service, mixture, client: new SoakClient(service.winnow) };
}

async function beginLoad({ service, client }: Mixed): Promise<SoakLoad> {
  const load = await SoakLoad.begin(client, { endpoint: service.winnow.awsEndpoints.sqs });
  undo.push(() => load.leave());
  return load;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'winnow-upgrade-'));
  undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** The requests without a response or with a server error. A request to retry does not count. */
const failed = ({ statuses }: SoakClient) =>
  [...statuses]
    .filter(([status]) => status === 0 || status >= 500)
    .map(([status, count]) => ({ status, count }));

/** Shifts invocations to the new version, back, and again to the new one. Each mixture runs a tick. */
async function shift({ mixture, service }: Mixed): Promise<void> {
  for (const part of [0, 0.5, 1, 0.5, 0, 0.5, 1]) {
    mixture.newPart = part;
    await Promise.all([sleep(part === 0.5 ? STAGE : STAGE / 2), service.winnow.tick()]);
  }
}

/** Resolves when the old version has no running invocations. */
const drained = (mixture: Mixture) =>
  eventually('the old version is at work on nothing', async () => mixture.atWork.old === 0, 60_000);

function expectSound({ violations, counts }: Judged, { mixture, client }: Mixed): void {
  expect(violations).toEqual([]);
  expect(failed(client)).toEqual([]);
  expect(counts['of unknown outcome']).toBe(0);
  expect(counts['messages of Subscriptions']).toBeGreaterThan(0);
  const taken = [mixture.taken.old.size, mixture.taken.new.size];
  expect(Math.min(...taken)).toBeGreaterThanOrEqual(NAMES.length);
}

it('functions of the last release and of the current commit work on one table, in both directions', async () => {
  const release = await checkOut(process.env.WINNOW_FROM);
  undo.push(release.remove);
  process.stdout.write(`The old functions are those of ${release.name}.\n`);
  const { directory } = await bundleFunctions();
  const mixed = await startMixed({ old: await bundleRelease(release), new: directory });
  const load = await beginLoad(mixed);
  await shift(mixed);
  await load.end();
  expectSound(await load.judge(RESTS), mixed);
});

it('a new version writes the old schema until it is raised, after which the old version refuses to work', async () => {
  const { directory } = await bundleFunctions(NAMES);
  const next = await temporaryFolder();
  await bundleNext(NAMES, next);
  const mixed = await startMixed({ old: directory, new: next });
  const { service, mixture, client } = mixed;
  const load = await beginLoad(mixed);
  await shift(mixed);
  await drained(mixture);
  const shifted = performance.now();
  expect(await countRows(service, NEXT_ROWS)).toBe(0);
  expect(await countRows(service, HISTORY_ROWS)).toBe(0);

  // No function of the old version runs, so no notice is needed.
  const table = tableOf(service);
  const { newest } = NEXT_SCHEMAS;
  const raise = () => raiseSchema({ table, clock, known: NEXT_SCHEMAS, notice: NEXT_COUNTS });
  let raised = await raise();
  while (raised.version < newest) {
    await sleep(2 * NEXT_COUNTS);
    raised = await raise();
  }
  await sleep(2 * STAGE);
  await load.end();
  expectSound(await load.judge(RESTS), mixed);
  expect(await countRows(service, NEXT_ROWS)).toBeGreaterThan(0);
  expect(await countRows(service, HISTORY_ROWS)).toBeGreaterThan(0);

  // The cached schema of the old version has expired after this time.
  await sleep(Math.max(0, TIMING.schemaLook - (performance.now() - shifted)));
  mixture.newPart = 0;
  for (const [method, path, body] of REFUSED) {
    const answer = await client.send(method, path, body);
    expect([method, path, answer?.status, answer?.body.reason]).toEqual([
      method,
      path,
      503,
      'ServiceUnavailable',
    ]);
    expect(String(answer?.body.message)).toContain(
      `have schema version ${newest}, but this release supports only versions 1 to ${newest - 1}`,
    );
  }
  await expect(service.winnow.tick()).rejects.toThrow(`have schema version ${newest}`);
  mixture.newPart = 1;
  expect((await client.send('GET', `${PODS}/late`))?.status).toBe(404);
  expect(await readSchema(table)).toEqual(raised);
});

function tableOf({ winnow }: Service) {
  const tableName = winnow.environment[ENVIRONMENT.table] ?? '';
  return createDynamoTable({ tableName, clock, config: { ...winnow.dynamodbClientConfig } });
}

/** The rows that only the next version can read, and those that history reads since schema version 4. */
const NEXT_ROWS = 'attribute_exists(content)';
const HISTORY_ROWS = 'attribute_exists(previousMain)';

async function countRows({ winnow }: Service, FilterExpression: string): Promise<number> {
  const client = new DynamoDBClient({ ...winnow.dynamodbClientConfig });
  const TableName = winnow.environment[ENVIRONMENT.table];
  let count = 0;
  for (let ExclusiveStartKey: Record<string, never> | undefined; ; ) {
    const page = await client.send(
      new ScanCommand({
        TableName,
        FilterExpression,
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    count += page.Count ?? 0;
    ExclusiveStartKey = page.LastEvaluatedKey as Record<string, never> | undefined;
    if (ExclusiveStartKey === undefined) break;
  }
  client.destroy();
  return count;
}

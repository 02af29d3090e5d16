import {
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '../../lib/platform/index.ts';
import { Fault } from '../connection/index.ts';

/** In seconds. */
const LONGEST_CHANGE = 300;

/** What point-in-time recovery does not copy: the settings of a table. */
export class TableSettings {
  readonly #client = new DynamoDBClient({});
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /**
   * What names this table, and no other of its name.
   *
   * @throws {Fault} there is no such table, or it is none of Winnow's.
   */
  async check(): Promise<string> {
    const { KeySchema = [], GlobalSecondaryIndexes = [], ...described } = await this.#describe();
    const keys = KeySchema.map(({ AttributeName }) => AttributeName).join(' ');
    const indexes = new Set(GlobalSecondaryIndexes.map(({ IndexName }) => IndexName));
    const missing = TABLE.indexes.filter(({ name }) => !indexes.has(name)).map(({ name }) => name);
    if (keys === `${TABLE.partitionKey} ${TABLE.sortKey}` && missing.length === 0) {
      return `${this.#name} ${described.TableId ?? described.CreationDateTime?.toISOString()}`;
    }
    const what =
      missing.length === 0
        ? `${this.#name} has the keys ${keys}, and is none of Winnow's`
        : `${this.#name} lacks the indexes ${missing.join(', ')}`;
    throw new Fault({ what, advice: 'Restore it with all of its indexes.' });
  }

  /** Answers a line for each setting: that it is on, or why it is not. */
  async switchOn(): Promise<readonly string[]> {
    const TableName = this.#name;
    const client = this.#client;
    const { StreamSpecification } = await this.#describe();
    const stream = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } as const;
    const ttl = { Enabled: true, AttributeName: TABLE.ttl };
    const recovery = { PointInTimeRecoveryEnabled: true };
    const protect = { DeletionProtectionEnabled: true };
    const isStreaming = StreamSpecification?.StreamEnabled === true;
    return [
      await switched('protection against deletion', async () => {
        await client.send(new UpdateTableCommand({ TableName, ...protect }));
      }),
      await switched('the stream', async () => {
        if (isStreaming) return;
        // A table that is being changed takes no other change.
        await waitUntilTableExists({ client, maxWaitTime: LONGEST_CHANGE }, { TableName });
        await client.send(new UpdateTableCommand({ TableName, StreamSpecification: stream }));
      }),
      await switched('expiry', () =>
        client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: ttl })),
      ),
      await switched('point-in-time recovery', () =>
        client.send(
          new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification: recovery }),
        ),
      ),
    ];
  }

  /** The ARN of its stream, once it has one. */
  async stream(): Promise<string | undefined> {
    return (await this.#describe()).LatestStreamArn;
  }

  async #describe(): Promise<TableDescription> {
    const { Table = {} } = await this.#client
      .send(new DescribeTableCommand({ TableName: this.#name }))
      .catch((error: unknown) => {
        if (!(error instanceof ResourceNotFoundException)) throw error;
        const advice = 'Are the region and the account right?';
        throw new Fault({ what: `there is no table ${this.#name}. ${advice}`, advice });
      });
    return Table;
  }
}

async function switched(what: string, on: () => Promise<unknown>): Promise<string> {
  try {
    await on();
    return `On: ${what}.`;
  } catch (error) {
    const why = error instanceof Error ? error.message || error.name : String(error);
    if (/already enabled/i.test(why)) return `On: ${what}.`;
    return `NOT on: ${what}: ${why}`;
  }
}

import {
  DynamoDBClient,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '../../lib/platform/index.ts';
import { describeWinnowTable } from '../winnow-table.ts';

/** The longest wait for a table update, in seconds. */
const LONGEST_CHANGE = 300;

/** The settings of a table, which point-in-time recovery does not copy. */
export class TableSettings {
  readonly #client = new DynamoDBClient({});
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Returns an id that differs from those of other tables of the same name, and whether the table has a
   * stream. A new copy has no stream.
   *
   * @throws {Fault} the table does not exist, or is not a Winnow table.
   */
  async check(): Promise<{ readonly id: string; readonly isStreaming: boolean }> {
    const { TableId, CreationDateTime, StreamSpecification } = await this.#describe();
    return {
      id: `${this.#name} ${TableId ?? CreationDateTime?.toISOString()}`,
      isStreaming: StreamSpecification?.StreamEnabled === true,
    };
  }

  /**
   * Enables the settings. Returns a line for each setting, which says that the setting is on, or why it is
   * off.
   */
  async switchOn(): Promise<readonly string[]> {
    const TableName = this.#name;
    const client = this.#client;
    const { isStreaming } = await this.check();
    const stream = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } as const;
    const ttl = { Enabled: true, AttributeName: TABLE.ttl };
    const recovery = { PointInTimeRecoveryEnabled: true };
    const protect = { DeletionProtectionEnabled: true };
    return [
      await switched('protection against deletion', async () => {
        await client.send(new UpdateTableCommand({ TableName, ...protect }));
      }),
      await switched('the stream', async () => {
        if (isStreaming) return;
        // DynamoDB refuses an update while another one is in progress.
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

  /** The ARN of the table's stream; undefined if it has none. */
  async stream(): Promise<string | undefined> {
    return (await this.#describe()).LatestStreamArn;
  }

  #describe(): Promise<TableDescription> {
    return describeWinnowTable(this.#client, this.#name);
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

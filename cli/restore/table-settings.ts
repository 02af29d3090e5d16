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
   * What names this table, and no other of its name, and whether it has a stream, which no copy has at first.
   *
   * @throws {Fault} there is no such table, or it is none of Winnow's.
   */
  async check(): Promise<{ readonly id: string; readonly isStreaming: boolean }> {
    const { TableId, CreationDateTime, StreamSpecification } = await this.#describe();
    return {
      id: `${this.#name} ${TableId ?? CreationDateTime?.toISOString()}`,
      isStreaming: StreamSpecification?.StreamEnabled === true,
    };
  }

  /** Answers a line for each setting: that it is on, or why it is not. */
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

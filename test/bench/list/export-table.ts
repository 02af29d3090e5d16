import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { toItem } from '../../../lib/store/dynamodb/items.ts';
import type { Key, Row, Table, TransactItem, TransactOutcome } from '../../../lib/store/index.ts';
import { createMemoryTable, targetOf } from '../../support/store/memory-table.ts';

const ROWS_IN_A_FILE = 50_000;
const keyOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;

/**
 * A table for ONE writer, whose rows go to files in the format of DynamoDB's export. Rows that may still change
 * are in memory until `settleLast`. Conditions of transactions hold by themselves where nobody else writes.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html
 */
export class ExportTable implements Table {
  readonly #folder: string;
  readonly #heads = createMemoryTable();
  readonly #rows = new Map<string, Row>();
  /** Rows of the last transaction. */
  #last: string[] = [];
  #lines: string[] = [];
  #files = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  readonly query: Table['query'] = () => Promise.reject(new Error('nothing is queried while writing'));
  readonly batchGet: Table['batchGet'] = () => Promise.reject(new Error('nothing is listed while writing'));
  readonly put: Table['put'] = (row, condition) => this.#heads.put(row, condition);
  readonly delete: Table['delete'] = (key, condition) => this.#heads.delete(key, condition);

  async get(key: Key): Promise<Row | undefined> {
    return this.#rows.get(keyOf(key)) ?? this.#heads.get(key);
  }

  readonly update: Table['update'] = async (key, change) => {
    const answer = await this.#heads.update(key, change);
    if (answer.row !== undefined) this.#rows.set(keyOf(key), answer.row);
    return answer;
  };

  async transact(items: readonly TransactItem[]): Promise<TransactOutcome> {
    this.#last = [];
    for (const item of items) {
      const key = keyOf(targetOf(item));
      if ('put' in item) {
        this.#rows.set(key, item.put);
        this.#last.push(key);
      } else if ('delete' in item) this.#rows.delete(key);
    }
    return { outcome: 'committed' };
  }

  /** Drops what the last transaction put into the journal and the relabel entries. */
  forgetJournal(): void {
    for (const key of this.#last) if (/^(journal|relabel)#/.test(key)) this.#rows.delete(key);
    this.#last = this.#last.filter((key) => this.#rows.has(key));
  }

  /** The rows of the last transaction are not written again. */
  async settleLast(): Promise<void> {
    for (const key of this.#last) await this.#emit(key);
  }

  async finish(): Promise<void> {
    for (const key of [...this.#rows.keys()]) await this.#emit(key);
    await this.#write();
  }

  async #emit(key: string): Promise<void> {
    const row = this.#rows.get(key);
    if (row === undefined) return;
    this.#rows.delete(key);
    this.#lines.push(`${JSON.stringify({ Item: toExport(row) })}\n`);
    if (this.#lines.length >= ROWS_IN_A_FILE) await this.#write();
  }

  async #write(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const file = join(this.#folder, `${this.#files}.json.gz`);
    this.#files += 1;
    await pipeline(Readable.from(this.#lines), createGzip({ level: 1 }), createWriteStream(file));
    this.#lines = [];
  }
}

/** An item as JSON says it: bytes in base64. */
function toExport(row: Row): object {
  const attributes = Object.entries(toItem(row)).map(([name, value]) => [
    name,
    value.B === undefined ? value : { B: Buffer.from(value.B).toString('base64') },
  ]);
  return Object.fromEntries(attributes);
}

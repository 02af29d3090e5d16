import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Row } from '../table.ts';
import { parseAnswer, type WireAnswer } from './items.ts';

/** The commands that read rows. */
const READS = new Set(['BatchGetItemCommand', 'GetItemCommand', 'QueryCommand']);
/** The answer that the SDK decodes instead. */
const NOTHING = Buffer.from('{}');

/** The characters of an answer with many rows. */
const MANY_ROWS = 32 * 1024;

interface Response {
  readonly statusCode: number;
  body: unknown;
}

/** The rows of answers. */
const rows = new WeakMap<object, readonly Row[]>();

/** The rows that an answer of a client holds. */
export const rowsOf = (answer: object): readonly Row[] => rows.get(answer) ?? [];

/**
 * Makes a client read the rows of answers itself ({@link rowsOf}). The SDK decodes an answer by its schema, value by
 * value, which takes three times as long (docs/decisions/0010-the-sdk-without-unused-steps.md). Errors, and answers to
 * all other commands, are left to the SDK.
 */
export function readRowsItself(client: DynamoDBClient): void {
  const answers = new WeakMap<object, WireAnswer>();
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const result = await next(args);
        const response = result.response as Response;
        if (READS.has(commandName) && response.statusCode === 200) {
          answers.set(response, await readAnswer(await textOf(response.body)));
          response.body = NOTHING;
        }
        return result;
      },
    // Nearer to the service than the SDK's own decoder.
    { step: 'deserialize', name: 'takeAnswer', priority: 'low' },
  );
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const answer = answers.get(result.response as object);
      if (answer !== undefined && result.output !== undefined) {
        Object.assign(result.output, answer.envelope);
        rows.set(result.output, answer.rows);
      }
      return result;
    },
    { step: 'deserialize', name: 'giveAnswer', priority: 'high' },
  );
}

/** The reader of many rows is loaded with the first answer that is as long. */
async function readAnswer(text: string): Promise<WireAnswer> {
  return text.length < MANY_ROWS ? parseAnswer(text) : (await import('./wire-rows.ts')).readManyRows(text);
}

/** The text of a body. A body that breaks off rejects. */
async function textOf(body: unknown): Promise<string> {
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

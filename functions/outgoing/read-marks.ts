import { addAbortSignal, type Readable } from 'node:stream';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Collection } from '../../lib/json/index.ts';
import { type Logger, SigningHash, TABLE } from '../../lib/platform/index.ts';
import { headKey } from '../../lib/store/index.ts';
import { credentials } from './invoke-lambda.ts';

export interface MarksOptions {
  readonly tableName: string;
  readonly logger: Logger;
}

/** The most keys of one BatchGetItem. */
const MOST_KEYS = 100;
/** How long an answer may take, in ms. */
const TIMEOUT = 1_000;

/**
 * Returns a function that reads which collections are marked as followed (`markFollowed`), for half a read unit each.
 * The read may be a moment old. If it fails, all collections count as marked, so that no hint is left out.
 *
 * The request is made here: the SDK's client of DynamoDB is 150 KB of code, which relay does not need otherwise.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 */
export function marksReader({ tableName, logger }: MarksOptions) {
  const handler = new NodeHttpHandler({
    connectionTimeout: TIMEOUT,
    requestTimeout: TIMEOUT,
    throwOnRequestTimeout: true,
  });
  return async (collections: readonly Collection[]): Promise<ReadonlySet<Collection>> => {
    const asked = collections.slice(0, MOST_KEYS);
    try {
      const marked = await readMarked(handler, tableName, asked);
      return new Set([
        ...asked.filter((one) => marked.has(headKey(one).pk)),
        ...collections.slice(MOST_KEYS),
      ]);
    } catch (error) {
      logger.warn('the marks of collections were not read; hints are sent for all of them', { error });
      return new Set(collections);
    }
  };
}

interface Answer {
  readonly Responses?: Readonly<Record<string, readonly Row[]>>;
  readonly UnprocessedKeys?: object;
}

/** A row as DynamoDB writes it. */
interface Row {
  readonly pk?: { readonly S?: string };
  readonly followed?: { readonly BOOL?: boolean };
}

/** The partition keys of the marked head rows. */
async function readMarked(
  handler: NodeHttpHandler,
  tableName: string,
  collections: readonly Collection[],
): Promise<ReadonlySet<string | undefined>> {
  const Keys = collections.map((collection) => {
    const { pk, sk } = headKey(collection);
    return { [TABLE.partitionKey]: { S: pk }, [TABLE.sortKey]: { S: sk } };
  });
  const request = { RequestItems: { [tableName]: { Keys, ProjectionExpression: 'pk, followed' } } };
  const { status, body } = await ask(handler, JSON.stringify(request));
  if (status !== 200) throw new Error(`DynamoDB answered ${status}: ${body.slice(0, 200)}`);
  const { Responses = {}, UnprocessedKeys = {} }: Answer = JSON.parse(body);
  if (Object.keys(UnprocessedKeys).length > 0) throw new Error('DynamoDB left some keys unread');
  const rows = Responses[tableName] ?? [];
  return new Set(rows.filter(({ followed }) => followed?.BOOL === true).map(({ pk }) => pk?.S));
}

async function ask(handler: NodeHttpHandler, body: string): Promise<{ status: number; body: string }> {
  const { AWS_REGION: region = '', AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL } = process.env;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const endpoint = AWS_ENDPOINT_URL_DYNAMODB ?? AWS_ENDPOINT_URL ?? `https://dynamodb.${region}.${domain}`;
  const { protocol, hostname, port, host } = new URL(endpoint);
  const signer = new SignatureV4({
    service: 'dynamodb',
    region,
    credentials: credentials(),
    sha256: SigningHash,
  });
  const unsigned = {
    method: 'POST',
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path: '/',
    query: {},
    headers: {
      host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.BatchGetItem',
    },
    body,
  };
  const signed = { ...unsigned, ...(await signer.sign(unsigned)) };
  const abortSignal = AbortSignal.timeout(TIMEOUT);
  const { response } = await handler.handle(signed as Parameters<NodeHttpHandler['handle']>[0], {
    abortSignal,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of addAbortSignal(abortSignal, response.body as Readable)) chunks.push(chunk);
  return { status: response.statusCode, body: Buffer.concat(chunks).toString() };
}

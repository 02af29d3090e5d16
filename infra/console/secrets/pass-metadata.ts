import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refusalOf, sendRefusal } from '../../loopback-guard/index.ts';
import type { Target } from '../read-target.ts';
import { readText } from '../read-text.ts';
import { NotMetadataError, onlyMetadata, onlyMetadataOfEvent } from './only-metadata.ts';

const META = 'v=v1;g=meta.k8s.io';
/** The most bytes of an answer, which is held in memory. Lists have pages. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The headers that make Winnow answer with metadata, or with a Table if the client accepts one. */
export function askForMetadata(
  { query, name, subresource, isWatch }: Target,
  accept = '',
): Readonly<Record<string, string>> {
  const isCount = !isWatch && (query.has('facets') || query.has('joint'));
  const isList = !isWatch && (name === '' || subresource === 'selected');
  const table = /as=table\b/i.test(accept) ? [`application/json;as=Table;${META}`] : [];
  const ranges = [...table, `application/json;as=PartialObjectMetadata${isList ? 'List' : ''};${META}`];
  return { accept: isCount ? 'application/json' : ranges.join(','), 'accept-encoding': 'identity' };
}

/** Passes an answer on, reduced to metadata. Another answer becomes a 502. */
export async function passMetadata(
  answer: IncomingMessage,
  { response, isWatch }: { readonly response: ServerResponse; readonly isWatch: boolean },
): Promise<void> {
  const { statusCode = 502, headers } = answer;
  const isPlain = headers['content-encoding'] === undefined;
  if (!isPlain || !headers['content-type']?.startsWith('application/json')) {
    answer.destroy();
    return sendRefusal(response, refusalOf(502, 'the console passes on only JSON about Secrets'));
  }
  if (isWatch && statusCode === 200) {
    response.writeHead(statusCode, { 'content-type': 'application/json' });
    response.flushHeaders();
    return pipeline(Readable.from(eventsOf(answer)), response);
  }
  const text = await readText(answer, MOST_BYTES);
  if (text === undefined) {
    answer.destroy();
    const advice = 'list in pages with limit and continue';
    return sendRefusal(response, refusalOf(413, `the answer has more than ${MOST_BYTES} bytes: ${advice}`));
  }
  const body = reduced(text);
  if (body === undefined) {
    return sendRefusal(
      response,
      refusalOf(502, 'the server answered with more than the metadata of Secrets'),
    );
  }
  response.writeHead(statusCode, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

function reduced(text: string): string | undefined {
  try {
    return JSON.stringify(onlyMetadata(JSON.parse(text)));
  } catch (error) {
    if (error instanceof NotMetadataError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The events of a watch, one a line. An empty line keeps the connection open. */
async function* eventsOf(answer: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      yield line === '' ? '\n' : `${JSON.stringify(onlyMetadataOfEvent(JSON.parse(line)))}\n`;
    }
  }
}

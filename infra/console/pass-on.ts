import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { refusalOf, sendRefusal } from '../loopback-guard/index.ts';
import { answering, askUpstream, type Upstream } from '../loopback-proxy/index.ts';
import type { Target } from './read-target.ts';
import { readText } from './read-text.ts';
import { askForMetadata, mayContainSecrets, passMetadata, readLabelPatch } from './secrets/index.ts';

const GROUP = 'impersonate-group';
/** The headers of a request that reach Winnow, with all values of each. */
const PASSED: readonly string[] = [
  'accept',
  'accept-encoding',
  'content-length',
  'content-type',
  GROUP,
  'impersonate-user',
  'transfer-encoding',
];
/** The headers that describe a body. */
const OF_BODY: readonly string[] = ['content-length', 'transfer-encoding'];
/** The headers of an answer that reach the page. */
const ANSWERED: readonly string[] = [
  'audit-id',
  'content-encoding',
  'content-length',
  'content-type',
  'etag',
  'retry-after',
  'vary',
  'warning',
  'winnow-explain',
];
/** The field manager of writes, unless the page names one. */
const AGENT = 'winnow-console';
/** The most bytes of a patch that the console reads itself. */
const MOST_PATCH = 256 * 1024;

/** A request of the page that may pass. */
export interface Passing {
  readonly target: Target;
  readonly upstream: Upstream;
  /** Whether the page may see the data of Secrets. */
  readonly secrets: boolean;
}

/** Sends a request of the page to Winnow, and the answer to the page. */
export async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { target, upstream, secrets }: Passing,
): Promise<void> {
  const { method = 'GET' } = request;
  const hides = !secrets && mayContainSecrets(target);
  const body = hides && method === 'PATCH' ? await labelPatchIn(request) : bodyOf(request);
  if (body === undefined) {
    const message = 'the console changes only metadata.labels of Secrets: run "winnow console --secrets"';
    return sendRefusal(response, refusalOf(403, message));
  }
  const isWatch = method === 'GET' && target.isWatch;
  const headers = {
    ...passedOf(request, hides && method === 'PATCH' ? OF_BODY : []),
    'user-agent': AGENT,
    ...(hides && askForMetadata(target, request.headers.accept)),
    ...body.headers,
  };
  const search = target.query.toString();
  await answering(response, upstream, async (signal) => {
    const asked = { method, headers, signal, body: body.stream };
    const path = search === '' ? target.path : `${target.path}?${search}`;
    const answer = await askUpstream({ ...asked, target: path }, upstream);
    for (const name of hides ? ['audit-id', 'retry-after', 'warning', 'winnow-explain'] : ANSWERED) {
      const value = answer.headers[name];
      if (value !== undefined) response.setHeader(name, value);
    }
    if (hides) return passMetadata(answer, { response, isWatch });
    response.writeHead(answer.statusCode ?? 502);
    // A watch sends its headers before its first event.
    response.flushHeaders();
    await pipeline(answer, response);
  });
}

function passedOf({ headersDistinct }: IncomingMessage, except: readonly string[]): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headersDistinct)
      .filter(([name]) => PASSED.includes(name) && !except.includes(name))
      .map(([name, values = []]) => [name, name === GROUP ? values.flatMap(groupsIn) : values.join(', ')]),
  );
}

/** The values of a header that a browser has joined: a page can send each header only once. */
function groupsIn(joined: string): readonly string[] {
  return joined.split(', ');
}

interface Body {
  readonly stream?: Readable;
  readonly headers: Readonly<Record<string, string>>;
}

function bodyOf(request: IncomingMessage): Body {
  return { stream: request, headers: {} };
}

/** The patch of a Secret's labels as the console reads it; undefined if it changes anything else. */
async function labelPatchIn(request: IncomingMessage): Promise<Body | undefined> {
  const text = await readText(request, MOST_PATCH);
  const patch = text === undefined ? undefined : readLabelPatch(text);
  if (patch === undefined) return undefined;
  const bytes = Buffer.from(JSON.stringify(patch));
  return { stream: Readable.from([bytes]), headers: { 'content-length': String(bytes.length) } };
}

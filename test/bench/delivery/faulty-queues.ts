import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../support/listen.ts';

/** URLs of queues that never answer a batch which is sent to them, and of those that refuse it. */
export interface QueueFaults {
  readonly stalled: readonly string[];
  readonly denied: readonly string[];
}

export interface FaultyQueues {
  readonly url: string;
  faults: QueueFaults;
}

const DENIED = JSON.stringify({
  __type: 'com.amazonaws.sqs#AccessDenied',
  message: 'Access to the resource is denied.',
});

/** Stands between the functions and their queues; all but what `faults` names is passed on. */
export async function startFaultyQueues(target: string): Promise<FaultyQueues> {
  const agent = new Agent({ keepAlive: true });
  const pass = (request: IncomingMessage, body: string, response: ServerResponse) => {
    const { method, headers, url } = request;
    const onward = send(`${target}${url}`, { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  };
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    const { QueueUrl } = isBatch(request) ? JSON.parse(body) : { QueueUrl: '' };
    const isOf = (urls: readonly string[]) => urls.includes(QueueUrl);
    if (isOf(queues.faults.stalled)) return;
    if (!isOf(queues.faults.denied)) return pass(request, body, response);
    response.writeHead(403, { 'content-type': 'application/x-amz-json-1.0' }).end(DENIED);
  });
  const { url } = await listen(server);
  const queues: FaultyQueues = { url, faults: { stalled: [], denied: [] } };
  // As SQS does: a new connection for each request would be what is measured.
  server.keepAliveTimeout = 60_000;
  return queues;
}

function isBatch({ headers }: IncomingMessage): boolean {
  return headers['x-amz-target'] === 'AmazonSQS.SendMessageBatch';
}

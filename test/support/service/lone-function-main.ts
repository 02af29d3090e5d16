import { appendFileSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { installStreaming, isStreaming, ResponseStream } from '../../../infra/local/response-streaming.ts';

/**
 * One function's bundle in a process of its own, as Lambda runs it: `<bundle> <file of the event> <file for the
 * answer>`. Prints the status of a streamed answer and the most memory that the process had, in MiB.
 */
const [bundle = '', eventFile = '', answerFile = ''] = process.argv.slice(2);
installStreaming();
const { handler } = await import(pathToFileURL(bundle).href);
const event = JSON.parse(readFileSync(eventFile, 'utf8'));
const context = { getRemainingTimeInMillis: () => 50_000, functionName: 'lone', awsRequestId: 'lone' };
let status = 0;
if (isStreaming(handler)) {
  const stream = new ResponseStream({
    head: ({ statusCode = 200 }) => {
      status = statusCode;
    },
    write: async (chunk) => appendFileSync(answerFile, chunk),
  });
  await handler(event, stream, context);
} else {
  appendFileSync(answerFile, JSON.stringify(await handler(event, context)));
}
// Not what `getrusage` says: that begins with what the process was forked from had.
const [, peak = ''] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
console.log(JSON.stringify({ status, peak: Number(peak) / 1024 }));
process.exit(0);

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleFunctions } from '../../../infra/bundle/index.ts';
import { toProxyEvent } from '../../../infra/local/proxy-event.ts';
import { loadTemplate, standIns } from '../../../infra/local/template.ts';
import { ENTRY_POINT_METADATA, type FunctionName } from '../../../lib/platform/function-names.ts';

export interface LoneAnswer {
  /** Of a streamed answer. */
  readonly status: number;
  readonly text: string;
  /** The most memory that the process had, and what its Lambda function has. In MiB. */
  readonly peak: number;
  readonly memory: number;
}

/**
 * Invokes a function's bundle in a process of its own, with the heap that Lambda's Node gives it at its memory
 * setting: 90 % old space, and semi-spaces of 5 %. The emulators are those that this process' environment names.
 * Rejects when the process dies.
 */
export async function invokeAlone(name: FunctionName, event: unknown): Promise<LoneAnswer> {
  const { bundles } = await bundleFunctions([name]);
  const memory = memoryOf(await loadTemplate({ bundles: await standIns(), streaming: true }), name);
  const files = await mkdtemp(join(tmpdir(), 'lone-'));
  const [eventFile, answerFile] = [join(files, 'event'), join(files, 'answer')];
  try {
    await writeFile(eventFile, JSON.stringify(event));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        `--max-old-space-size=${Math.floor(memory * 0.9)}`,
        `--max-semi-space-size=${Math.floor(memory * 0.05)}`,
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, 'lone-function-main.ts'),
        bundles.find((bundle) => bundle.name === name)?.file ?? '',
        eventFile,
        answerFile,
      ],
      { env: { ...process.env, NODE_OPTIONS: '', AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memory) } },
    );
    const { status, peak } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    return { status, peak, memory, text: await readFile(answerFile, 'utf8').catch(() => '') };
  } finally {
    await rm(files, { recursive: true });
  }
}

/** A GET as the gateway hands it on. */
export function getEvent(target: string): unknown {
  return proxyEvent('GET', target);
}

export function proxyEvent(method: string, target: string, body: unknown = ''): unknown {
  const text = body === '' ? '' : JSON.stringify(body);
  const rawHeaders = ['Accept', 'application/json', 'Content-Type', 'application/json'];
  return toProxyEvent(
    {
      method,
      target,
      rawHeaders,
      body: Buffer.from(text),
      sourceIp: '127.0.0.1',
      requestId: 'alone',
      time: 0,
    },
    { stage: 'api', binaryMediaTypes: [] },
  );
}

/** A batch of messages from a FIFO queue, each of a message group of its own. */
export function queueEvent(...messages: readonly unknown[]): unknown {
  const Records = messages.map((message, at) => ({
    messageId: `alone-${at}`,
    body: JSON.stringify(message),
    attributes: { MessageGroupId: `alone-${at}`, ApproximateReceiveCount: '1' },
  }));
  return { Records };
}

type Template = Awaited<ReturnType<typeof loadTemplate>>;

function memoryOf({ Resources }: Template, name: FunctionName): number {
  const found = Object.values(Resources).find(({ Metadata }) => Metadata?.[ENTRY_POINT_METADATA] === name);
  return Number(found?.Properties?.MemorySize);
}

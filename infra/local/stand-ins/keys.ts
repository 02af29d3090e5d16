import { createPrivateKey, createPublicKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listenOn } from '../../loopback-guard/index.ts';
import { keepFile, makeKeyPair, readKept } from '../trust/index.ts';

/** A local stand-in for KMS, with one signing key. */
export interface Keys {
  /**
   * The endpoint. A process that knows its path can sign, so the path is unguessable for other users of this machine.
   */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Starts the stand-in with the key in a file, which is created if necessary and readable by this user only. Without a
 * file, the key is lost when the process ends.
 */
export async function startKeys(file: string | undefined): Promise<Keys> {
  const key = await (file === undefined ? makeKey() : keptKey(file));
  const operations = operationsOf(key);
  const path = `/${randomUUID()}/`;
  const server = createServer(async (request, response) => {
    const operation = operations[String(request.headers['x-amz-target'])];
    const asked: unknown = await json(request).catch(() => undefined);
    const answer = request.url === path && isAsked(asked) ? operation?.(asked) : undefined;
    response.writeHead(answer === undefined ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(answer ?? { __type: 'ValidationException' }));
  });
  const port = await listenOn(server, 0);
  return {
    endpoint: `http://127.0.0.1:${port}${path}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface AskedOfKey {
  readonly KeyId: string;
  readonly Message?: string;
}

function isAsked(asked: unknown): asked is AskedOfKey {
  if (typeof asked !== 'object' || asked === null) return false;
  const { KeyId, Message = '' } = asked as Partial<Record<string, unknown>>;
  return typeof KeyId === 'string' && typeof Message === 'string';
}

type Operation = (asked: AskedOfKey) => object;

function operationsOf(key: KeyObject): Readonly<Record<string, Operation>> {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    'TrentService.GetPublicKey': ({ KeyId }) => ({ KeyId, PublicKey: spki.toString('base64') }),
    'TrentService.Sign': ({ KeyId, Message = '' }) => ({
      KeyId,
      Signature: sign('sha256', Buffer.from(Message, 'base64'), key).toString('base64'),
    }),
  };
}

const makeKey = async () => createPrivateKey((await makeKeyPair()).key);

async function keptKey(file: string): Promise<KeyObject> {
  const kept = await readKept(file, createPrivateKey);
  if (kept !== undefined) return kept;
  const key = await makeKey();
  await keepFile(file, String(key.export({ type: 'pkcs8', format: 'pem' })));
  return key;
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answersWell, freePort, startEmulator } from '../../../engines/emulator-process.ts';
import { installJars } from '../../../engines/install-jars.ts';
import { ownNodeFirst } from '../../own-node-first.ts';
import { makeCertificate } from '../certificate.ts';
import { emulatorTarget } from '../emulator-target.ts';
import { installPython } from '../install-python.ts';
import type { Target } from '../target.ts';
import { installKinesis } from './install-kinesis.ts';

const PLUGIN = join(import.meta.dirname, 'plugin');
const DYNAMODB = join(import.meta.dirname, '../../../engines/dynamodb-local/pom.xml');

/**
 * Installs LocalStack if need be and starts it, without Docker, on loopback, at a free port unless one is given;
 * all that it writes is in `directory`. Our plugin runs the functions as Node processes.
 */
export async function startLocalStack(directory: string, wanted?: number): Promise<Target> {
  const python = await installPython({
    by: 'LocalStack',
    oldest: 13,
    requirements: join(import.meta.dirname, 'requirements.txt'),
  });
  const jars = await installJars('DynamoDB Local', DYNAMODB);
  await installKinesis(directory);
  const { certificate, key } = await makeCertificate(directory);
  const pem = join(directory, 'server.pem');
  await writeFile(pem, `${await readFile(key, 'utf8')}${await readFile(certificate, 'utf8')}`);
  const port = wanted ?? (await freePort());
  const endpoint = `https://127.0.0.1:${port}`;
  const stop = await startEmulator({
    name: 'LocalStack',
    command: [python, '-m', 'localstack.runtime.main'],
    environment: environment({ directory, port, pem, jars }),
    directory,
    ready: () => answersWell(`${endpoint}/_localstack/health`),
  });
  const stsEndpoint = `http://127.0.0.1:${port}`;
  const emulated = emulatorTarget({ emulator: 'localstack', endpoint, region: 'us-east-1', stsEndpoint });
  return {
    ...emulated,
    name: 'LocalStack 4.14',
    variables: {
      ...emulated.variables,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_CA_BUNDLE: certificate,
      NODE_EXTRA_CA_CERTS: certificate,
    },
    temporary: true,
    stop,
  };
}

interface Seat {
  readonly directory: string;
  readonly port: number;
  /** A file with key and certificate. */
  readonly pem: string;
  /** DynamoDB Local's. */
  readonly jars: string;
}

/** All that LocalStack sees of this machine: nothing of the user's AWS settings among it. */
function environment({ directory, port, pem, jars }: Seat): Record<string, string> {
  return {
    // It runs Java, and the Node of its streams.
    PATH: ownNodeFirst(),
    HOME: directory,
    TMPDIR: directory,
    FILESYSTEM_ROOT: directory,
    GATEWAY_LISTEN: `127.0.0.1:${port}`,
    // In the URLs of the API, which has a name in front of it, and of the queues.
    LOCALSTACK_HOST: `localhost:${port}`,
    SQS_ENDPOINT_STRATEGY: 'path',
    OVERRIDE_IN_DOCKER: '0',
    DNS_ADDRESS: '0',
    DISABLE_EVENTS: '1',
    SKIP_SSL_CERT_DOWNLOAD: '1',
    CUSTOM_SSL_CERT_PATH: pem,
    DYNAMODB_IN_MEMORY: '1',
    // A queue that was empty is polled again after a second, and not after ten.
    LAMBDA_EVENT_SOURCE_MAPPING_MAX_BACKOFF_ON_EMPTY_POLL_SEC: '1',
    LAMBDA_RUNTIME_EXECUTOR: 'process',
    PYTHONPATH: PLUGIN,
    PYTHONDONTWRITEBYTECODE: '1',
    WINNOW_NODE: process.execPath,
    WINNOW_DYNAMODB_JARS: jars,
  };
}

import { join } from 'node:path';
import { answers, freePort, startEmulator } from './emulator-process.ts';
import { ENGINES } from './engine.ts';
import { installJars } from './install-jars.ts';

/** An emulator in Java. */
interface JavaProgram {
  readonly name: string;
  /** The folder beside this file that has its `pom.xml`. */
  readonly folder: string;
  /** What follows the class path: properties, the main class and its arguments. */
  arguments(jars: string, port: number): readonly string[];
}

/** By the service that each is. */
const PROGRAMS: Readonly<Record<keyof typeof ENGINES, JavaProgram>> = {
  dynamodb: {
    name: 'DynamoDB Local',
    folder: 'dynamodb-local',
    arguments: (jars, port) => [
      `-Djava.library.path=${jars}`,
      'software.amazon.dynamodb.services.local.main.ServerRunner',
      '-inMemory',
      '-port',
      String(port),
    ],
  },
  sqs: {
    name: 'ElasticMQ',
    folder: 'elasticmq',
    arguments: (_jars, port) => [
      '-Drest-sqs.bind-hostname=127.0.0.1',
      `-Drest-sqs.bind-port=${port}`,
      '-Dnode-address.host=127.0.0.1',
      `-Dnode-address.port=${port}`,
      '-Drest-stats.enabled=false',
      'org.elasticmq.server.Main',
    ],
  },
};

export interface Engines {
  /** What tells the tests where they are. */
  readonly variables: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Installs the engines if need be and starts them on free ports; what they write is in `directory`. */
export async function startEngines(directory: string): Promise<Engines> {
  const dynamodb = await start(PROGRAMS.dynamodb, directory);
  const sqs = await start(PROGRAMS.sqs, directory).catch(async (error) => {
    await dynamodb.stop();
    throw error;
  });
  return {
    variables: { [ENGINES.dynamodb]: dynamodb.endpoint, [ENGINES.sqs]: sqs.endpoint },
    stop: async () => {
      await Promise.all([dynamodb.stop(), sqs.stop()]);
    },
  };
}

async function start(
  program: JavaProgram,
  directory: string,
): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const { name, folder } = program;
  const jars = await installJars(name, join(import.meta.dirname, folder, 'pom.xml'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const stop = await startEmulator({
    name,
    command: ['java', '-cp', join(jars, '*'), ...program.arguments(jars, port)],
    environment: { PATH: process.env.PATH ?? '', HOME: directory, TMPDIR: directory },
    directory,
    ready: () => answers(endpoint),
  });
  return { endpoint, stop };
}

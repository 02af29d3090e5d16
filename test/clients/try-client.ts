import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeKubeconfig } from '../../cli/kubeconfig/index.ts';
import { root } from '../../infra/bundle/index.ts';
import { startService } from '../support/service/service.ts';
import { type Attempt, type Client, Missing, type Outcome } from './client.ts';

export interface Report {
  readonly client: Client;
  readonly outcomes: readonly Outcome[];
  /** Why it was not tried at all. */
  readonly missing?: string;
}

/** Installs a client and tries it on a service of its own, saying on the way what it finds. */
export async function tryClient(client: Client): Promise<Report> {
  console.log(`\n${client.title}`);
  const folder = join(root, 'dist/clients', client.name);
  await mkdir(folder, { recursive: true });
  const outcomes: Outcome[] = [];
  const tell = (outcome: Outcome) => {
    outcomes.push(outcome);
    show(outcome);
  };
  try {
    await tryOnService(client, await client.install(folder), tell);
  } catch (error) {
    if (error instanceof Missing) {
      console.log(`  skipped: ${error.message}`);
      return { client, outcomes: [], missing: error.message };
    }
    tell({ behaviour: 'is installed and ends', error: String(error) });
  }
  return { client, outcomes };
}

async function tryOnService(
  client: Client,
  attempt: Attempt,
  tell: (outcome: Outcome) => void,
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'winnow-clients-'));
  const service = await startService(client.service);
  try {
    const kubeconfig = join(home, 'kubeconfig');
    await writeKubeconfig(kubeconfig, service.winnow.url);
    await attempt({ kubeconfig, http: service.http, home }, tell);
  } finally {
    await service.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
  for (const error of service.problems) tell({ behaviour: 'meets no fault in the functions', error });
}

function show({ behaviour, error }: Outcome): void {
  console.log(error === undefined ? `  ok      ${behaviour}` : `  FAILED  ${behaviour}`);
  if (error !== undefined) console.log(error.replaceAll(/^/gm, '          '));
}

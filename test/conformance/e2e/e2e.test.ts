import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { root } from '../../../infra/bundle/index.ts';
import { TokenUsers } from '../../../infra/local/trust/index.ts';
import { type Cluster, startCluster } from '../harness/start-cluster.ts';
import { buildSuite } from './build-suite.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { prepareCluster } from './prepare-cluster.ts';
import { runSuite } from './run-suite.ts';

/** The text that the names of tests must contain; all tests if it is empty. */
const { E2E_FOCUS = '' } = process.env;
const isWanted = (name: string) => name.includes(E2E_FOCUS);
/** The tests that pass on kube-apiserver 1.33.2 without controllers and kubelets, one a line. */
const NAMES = readFileSync(join(import.meta.dirname, 'tests.txt'), 'utf8')
  .trim()
  .split('\n')
  .filter(isWanted);
const FOLDER = join(root, 'dist/conformance/e2e');
const TOKEN = 'e2e-token';
/** Building the suite takes a quarter of an hour, and running it ten minutes. */
const LONGEST = 2 * 60 * 60_000;

let cluster: Cluster;

beforeAll(async () => {
  const users = new TokenUsers();
  users.add(TOKEN, { username: 'admin', uid: 'admin', groups: ['system:masters'] });
  cluster = await startCluster({ users, token: TOKEN, tls: true, serviceAccountTokens: true });
  await prepareCluster(cluster.terminal);
});

// The suite keeps all processors busy, so a function may run out of time. Its work is then done again.
afterAll(() => cluster?.stop().catch((error: unknown) => console.log(error)));

it(
  'Kubernetes’ end-to-end tests pass on Winnow as on kube-apiserver, except those with a reason',
  async () => {
    await mkdir(FOLDER, { recursive: true });
    const outcomes = await runSuite({
      suite: buildSuite(),
      names: NAMES,
      kubeconfig: cluster.kubeconfig,
      kubectl: cluster.kubectl.path,
      folder: FOLDER,
      processes: Math.max(2, availableParallelism()),
      timeout: '90s',
    });
    const failed = NAMES.filter((name) => outcomes.get(name)?.state !== 'passed').sort();
    const unexpected = failed.filter((name) => !Object.hasOwn(EXCEPTIONS, name));
    console.log(`${NAMES.length - failed.length} of ${NAMES.length} tests passed; the log is ${FOLDER}/log`);
    for (const name of unexpected) {
      const { state, message } = outcomes.get(name) ?? { state: 'not run', message: '' };
      console.log(`${state}: ${name}\n    ${message.slice(0, 1_000)}`);
    }
    expect(failed).toEqual(Object.keys(EXCEPTIONS).filter(isWanted).sort());
  },
  LONGEST,
);

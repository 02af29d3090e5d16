import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from '@jest/globals';
import { TokenUsers } from '../../../infra/local/trust/index.ts';
import { type Cluster, startCluster } from '../harness/start-cluster.ts';
import { buildSuite } from './build-suite.ts';
import { checkSuite } from './check-suite.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { createApiService, createNodes } from './prepare-cluster.ts';

const TOKEN = 'e2e-token';
/** Building the suite takes a quarter of an hour, and running it ten minutes. */
const LONGEST = 2 * 60 * 60_000;

let cluster: Cluster;

beforeAll(async () => {
  const users = new TokenUsers();
  users.add(TOKEN, { username: 'admin', uid: 'admin', groups: ['system:masters'] });
  cluster = await startCluster({
    users,
    token: TOKEN,
    tls: true,
    serviceAccountTokens: true,
    newestSchema: true,
  });
  await createApiService(cluster.terminal);
  await createNodes(cluster.terminal);
});

// The suite keeps all processors busy, so a function may run out of time. Its work is then done again.
afterAll(() => cluster?.stop().catch((error: unknown) => console.log(error)));

it(
  'Kubernetes’ end-to-end tests pass on Winnow as on kube-apiserver, except those with a reason',
  () =>
    checkSuite(cluster, {
      suite: buildSuite(),
      // The tests that pass on kube-apiserver 1.33.2 without controllers and kubelets.
      list: join(import.meta.dirname, 'tests.txt'),
      exceptions: EXCEPTIONS,
      folder: 'e2e',
      processes: Math.max(2, availableParallelism()),
      timeout: '90s',
      serviceAccounts: false,
    }),
  LONGEST,
);

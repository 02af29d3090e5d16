import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeKubeconfig } from '../../../cli/kubeconfig/write-kubeconfig.ts';
import { root } from '../../../infra/bundle/index.ts';
import { makeAuthority } from '../../../infra/local/trust/authority.ts';
import { TokenUsers } from '../../../infra/local/trust/index.ts';
import { buildControllers, buildSuite, type Suite } from '../e2e/build-suite.ts';
import { checkSuite, type Exceptions } from '../e2e/check-suite.ts';
import { createApiService, NODES } from '../e2e/prepare-cluster.ts';
import { Programs } from '../harness/programs.ts';
import { type Cluster, startCluster } from '../harness/start-cluster.ts';
import { startControllers } from './start-controllers.ts';

const TOKEN = 'e2e-token';
/** The log of each program is here, beside the suite's. */
const FOLDER = join(root, 'dist/conformance/e2e-controllers');
const KUBELET = join(import.meta.dirname, 'kubelet/main.ts');
/** The tests that fail on Winnow, with the reasons: there are none. */
const EXCEPTIONS: Exceptions = {};
/** Building the programs takes twenty minutes, and running the suite half an hour. */
const LONGEST = 3 * 60 * 60_000;

let suite: Suite;
let cluster: Cluster;
const programs = new Programs(FOLDER);

beforeAll(async () => {
  suite = buildSuite();
  const controllers = buildControllers();
  await mkdir(FOLDER, { recursive: true });
  const authority = await makeAuthority(Date.now());
  cluster = await startCluster({
    users: usersOf(),
    token: TOKEN,
    tls: true,
    serviceAccountTokens: true,
    clientAuthority: authority.certificate,
    newestSchema: true,
  });
  await createApiService(cluster.terminal);
  await copyFile(cluster.kubeconfig, join(FOLDER, 'kubeconfig'));
  await startControllers(programs, { controllers, authority, folder: FOLDER });
  await startKubelets(cluster);
}, LONGEST);

afterAll(async () => {
  await programs.stop();
  // The suite keeps all processors busy, so a function may run out of time. Its work is then done again.
  await cluster?.stop().catch((error: unknown) => console.log(error));
});

it(
  'Kubernetes’ end-to-end tests with controllers pass on Winnow as on kube-apiserver, except those with a reason',
  async () => {
    await checkSuite(cluster, {
      suite,
      // The tests that pass on kube-apiserver 1.33.2 with both programs and a kubelet that runs nothing.
      list: join(import.meta.dirname, 'tests.txt'),
      exceptions: EXCEPTIONS,
      folder: 'e2e-controllers',
      processes: 4,
      timeout: '180s',
      serviceAccounts: true,
    });
    await expect(programs.requireRunning()).resolves.toBeUndefined();
  },
  LONGEST,
);

/** An administrator, and the nodes. */
function usersOf(): TokenUsers {
  const users = new TokenUsers();
  users.add(TOKEN, { username: 'admin', uid: 'admin', groups: ['system:masters'] });
  for (const name of NODES) {
    users.add(tokenOf(name), { username: `system:node:${name}`, uid: name, groups: ['system:nodes'] });
  }
  return users;
}

const tokenOf = (node: string) => `e2e-${node}`;

/** Starts a kubelet for each node. Resolves once the nodes are ready. */
async function startKubelets({ service, terminal }: Cluster): Promise<void> {
  const { url, authority } = service.winnow;
  for (const [index, name] of NODES.entries()) {
    const kubeconfig = join(FOLDER, `${name}.kubeconfig`);
    await writeKubeconfig(kubeconfig, url, { authority, token: tokenOf(name) });
    programs.start(process.execPath, [KUBELET, kubeconfig, name, `10.0.0.${index + 1}`], { name });
  }
  for (const name of NODES) {
    await terminal.run(`kubectl wait --for=create node/${name} --timeout=30s`);
    await terminal.run(`kubectl wait --for=condition=Ready node/${name} --timeout=30s`);
  }
  await programs.requireRunning();
}

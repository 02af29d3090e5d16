import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { EXAMPLE_CREDENTIALS, eksToken } from '../support/login/eks-token.ts';
import { fakeSts, type StsServer, startSts } from '../support/login/fake-sts.ts';
import { type Cluster, startCluster } from './harness/start-cluster.ts';

const { secretAccessKey } = EXAMPLE_CREDENTIALS;
const [ADMIN, BOB] = ['AKIAADMIN00000000000', 'AKIABOB0000000000000'];
const PRINCIPAL = 'arn:aws:iam::111122223333:role/Deployer';
/** The first minor version of kubectl with `whoami`. */
const WHOAMI = 27;

let sts: StsServer;
let cluster: Cluster;

beforeAll(async () => {
  const { ask } = fakeSts({
    [ADMIN]: 'arn:aws:iam::111122223333:user/admin',
    [BOB]: 'arn:aws:sts::111122223333:assumed-role/Deployer/bob',
  });
  sts = await startSts(ask);
  const principals = ['arn:aws:iam::111122223333:user/admin'];
  const login = { principals, members: ['111122223333'], stsEndpoint: sts.endpoint };
  cluster = await startCluster({ tls: true, login, token: 'none' });
});

afterAll(async () => {
  await cluster?.stop();
  await sts?.stop();
});

/** Runs kubectl with the token that `aws eks get-token` prints for the owner of an access key. */
async function kubectl(accessKeyId: string, line: string): Promise<string> {
  const clusterId = cluster.service.winnow.environment.WINNOW_CLUSTER_ID ?? '';
  const credentials = { accessKeyId, secretAccessKey };
  const token = await eksToken({ clusterId, date: new Date(), credentials });
  const config = `sed 's/token: .*/token: ${token}/' "$KUBECONFIG" >"$HOME/${accessKeyId}"`;
  return `${config} && kubectl --kubeconfig "$HOME/${accessKeyId}" ${line}`;
}

const run = async (who: string, line: string) => cluster.terminal.run(await kubectl(who, line));
const refused = async (who: string, line: string) => cluster.terminal.refused(await kubectl(who, line));

it('A principal of the account is authenticated by its ARN, and refused what no role allows', async () => {
  expect(await refused(BOB, 'get pods')).toContain(
    `pods is forbidden: User "${PRINCIPAL}" cannot list resource "pods" in API group "" in the namespace "default"`,
  );
});

it('kubectl applies, explains and lists an AccessEntry, and Winnow refuses a wrong one', async () => {
  const entry = (name: string, wanted: object) => {
    const body = { apiVersion: 'winnow.dev/v1', kind: 'AccessEntry', metadata: { name }, spec: wanted };
    return `apply -f - <<'END'\n${JSON.stringify(body)}\nEND`;
  };
  const spec = { principal: PRINCIPAL, username: 'bob', groups: ['shop'] };
  expect(await run(ADMIN, entry('deployer', spec))).toBe('accessentry.winnow.dev/deployer created');
  expect(await run(ADMIN, 'get accessentries')).toMatch(
    /NAME +PRINCIPAL +USERNAME +GROUPS +AGE\ndeployer +arn/,
  );
  expect(await run(ADMIN, 'explain accessentry.spec.principal')).toContain(
    'ARN of an IAM user, or of a role',
  );
  expect(
    await refused(ADMIN, entry('master', { principal: PRINCIPAL, groups: ['system:masters'] })),
  ).toContain('spec.groups[0]: Invalid value: "system:masters": must not begin with system:');
  expect(await refused(ADMIN, entry('second', spec))).toContain(
    'another AccessEntry already names this principal',
  );
});

it("A principal has the AccessEntry's identity from the next request on, and loses it with the entry", async () => {
  await run(ADMIN, 'create role reader --verb=list --resource=pods');
  await run(ADMIN, 'create rolebinding readers --role=reader --group=shop');
  expect(await run(BOB, 'get pods -o name')).toBe('');
  if (cluster.kubectl.minor >= WHOAMI) {
    // The roles that the schedule creates allow every user to request its identity.
    const told = await eventually('who he is', () => run(BOB, 'auth whoami').catch(() => undefined));
    expect(told).toMatch(/Username +bob\nGroups +\[shop system:authenticated\]/);
  }
  await run(ADMIN, 'delete accessentry deployer');
  expect(await refused(BOB, 'get pods')).toContain(PRINCIPAL);
});

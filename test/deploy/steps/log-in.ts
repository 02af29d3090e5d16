import assert from 'node:assert/strict';
import { deployedApi } from '../../../cli/kubeconfig/deployed-api.ts';
import { eksToken } from '../../support/login/eks-token.ts';
import { HttpClient } from '../../support/service/http-client.ts';
import { credentialsOf } from '../login.ts';
import type { Step, Trial } from '../trial.ts';

const HOUR = 3_600_000;

export const logIn: Step = {
  name: 'log in',
  run: async (trial) => {
    const { http, terminal } = trial.deployment;
    const stranger = new HttpClient(http.url);
    for (const headers of await noLogins(trial)) {
      const { status, reason, body } = await stranger.send('GET', '/version', { headers });
      assert.deepEqual([status, reason, body.kind], [401, 'Unauthorized', 'Status'], headers.authorization);
    }
    const unknown = await http.send('OPTIONS', '/version');
    assert.deepEqual([unknown.status, unknown.reason], [405, 'MethodNotAllowed']);
    const version = await terminal.run('kubectl version');
    const [, server] = /^Server Version: (\S+\+winnow)$/m.exec(version) ?? [];
    assert.ok(server, version);
    return `kubectl sees ${server}; 401 without a token, with a bad and with an old one`;
  },
};

/** None, nonsense, one that is too old, and where signatures are checked, as on AWS, one for another cluster. */
async function noLogins({ deployment, options }: Trial): Promise<Record<string, string>[]> {
  const { clusterId, region } = deployedApi(deployment.outputs);
  const good = {
    clusterId,
    region,
    credentials: await credentialsOf(options.target.client),
    date: new Date(),
  };
  const tokens = ['wrong', await eksToken({ ...good, date: new Date(Date.now() - HOUR) })];
  if (options.target.emulator === undefined) tokens.push(await eksToken({ ...good, clusterId: 'another' }));
  return [{}, ...tokens.map((token) => ({ authorization: `Bearer ${token}` }))];
}

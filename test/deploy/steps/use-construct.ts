import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deployedApi } from '../../../cli/kubeconfig/deployed-api.ts';
import { root } from '../../../infra/bundle/files.ts';
import { gapsOf } from '../../../infra/emulators.ts';
import { eventually } from '../../support/eventually.ts';
import { HttpClient } from '../../support/service/http-client.ts';
import { installPackage } from '../../support/service/installed-package.ts';
import { Cdk } from '../cdk.ts';
import { deployerOf } from '../deployer-of.ts';
import { findLogs } from '../function-logs.ts';
import { loginOverHttp } from '../login.ts';
import { remains, removeRemains } from '../remains.ts';
import type { Step, TrialOptions } from '../trial.ts';

const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const SUBSCRIPTIONS = '/apis/winnow.dev/v1/namespaces/default/subscriptions';
const NORTH = `${SUBSCRIPTIONS}/north`;

/** From an app outside this repository, which has installed `@winnow-dev/cdk` and nothing else of Winnow. */
export const useConstruct: Step = {
  name: '@winnow-dev/cdk in an app of its own',
  run: async ({ options }) => {
    const { project, remove } = await installPackage('infra/cdk', ['aws-cdk-lib', 'constructs']);
    const theirs = { ...options, stackName: `${options.stackName}-own` };
    await copyFile(join(root, 'test/deploy/app/app.mjs'), join(project, 'app.mjs'));
    await writeFile(join(project, 'cdk.json'), JSON.stringify({ app: 'node app.mjs' }));
    const cdk = new Cdk({ ...theirs, directory: project, cwd: project, progress: () => {} });
    const principal = `principal=${await deployerOf(options)}`;
    try {
      const { 'custom-resources': gap } = gapsOf(options.target.emulator);
      return await (gap === undefined ? useIt : useWithoutSubscription)(theirs, cdk, principal);
    } finally {
      await cdk.abandon();
      if (!options.target.temporary) await cdk.destroy([principal]);
      await removeRemains(theirs);
      await remove();
    }
  },
};

/** Where there are no custom resources, the stack says so before anything is deployed, and is a Winnow without them. */
async function useWithoutSubscription(options: TrialOptions, cdk: Cdk, principal: string): Promise<string> {
  await assert.rejects(cdk.deploy([principal, 'labelSelector=site=north']), /has no custom resources/);
  await cdk.deploy([principal]);
  const api = deployedApi({ ...(await cdk.outputs()) }, options.target.client.endpoint);
  const http = new HttpClient(api.url, loginOverHttp(api, options.target));
  await http.post(CONFIGMAPS, { metadata: { name: 'cam', labels: { site: 'north' } } });
  assert.deepEqual(await http.names(`${CONFIGMAPS}?labelSelector=site%3Dnorth`), ['cam']);
  await cdk.destroy([principal]);
  return 'an API came and went with the stack; Subscriptions in it are refused here';
}

async function useIt(options: TrialOptions, cdk: Cdk, principal: string): Promise<string> {
  await cdk.deploy([principal, 'labelSelector=site=north']);
  const outputs = await cdk.outputs();
  const api = deployedApi({ ...outputs }, options.target.client.endpoint);
  const http = new HttpClient(api.url, loginOverHttp(api, options.target));
  const { body } = await http.get(NORTH);
  assert.equal((body.status as { queueUrl: string }).queueUrl, outputs.QueueUrl);

  const everywhere = (await http.get(`${SUBSCRIPTIONS}/everywhere`)).body.spec as Record<string, unknown>;
  const { namespaceSelector, verify } = everywhere;
  assert.deepEqual(namespaceSelector, { matchLabels: { 'kubernetes.io/metadata.name': 'default' } });
  assert.equal(verify, true);

  await http.post(CONFIGMAPS, { metadata: { name: 'cam', labels: { site: 'north' } } });
  await eventually('the function is handed what entered', () => findLogs(options, 'handed cam'), 60_000);

  await cdk.deploy([principal, 'labelSelector=site in (north,south)']);
  const changed = (await http.get(NORTH)).body.spec as { labelSelector: string };
  assert.equal(changed.labelSelector, 'site in (north,south)');
  await cdk.destroy([principal]);
  const left = await remains(options);
  assert.deepEqual({ tables: left.tables, queues: left.queues }, { tables: [], queues: [] });
  return 'a Subscription came, changed and went with the stack';
}

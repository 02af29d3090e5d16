import { join } from 'node:path';
import { deployedApi } from '../../../cli/kubeconfig/deployed-api.ts';
import { writeKubeconfig } from '../../../cli/kubeconfig/write-kubeconfig.ts';
import { openTerminal } from '../../conformance/harness/open-terminal.ts';
import { HttpClient } from '../../support/service/http-client.ts';
import { loginOfKubectl, loginOverHttp } from '../login.ts';
import type { Deployment, Step, TrialOptions } from '../trial.ts';

export const deploy: Step = {
  name: 'cdk deploy',
  run: async (trial) => {
    const events = await trial.options.cdk.deploy();
    trial.deployment = await connect(trial.options);
    const made = events.filter(({ status }) => status === 'CREATE_COMPLETE');
    return `${made.length} resources`;
  },
};

/** As `winnow kubeconfig` does, but with a login that needs no AWS CLI. */
async function connect({ target, cdk, directory, kubectl }: TrialOptions): Promise<Deployment> {
  const outputs = await cdk.outputs();
  const api = deployedApi(outputs, target.client.endpoint);
  const kubeconfig = join(directory, 'kubeconfig');
  await writeKubeconfig(kubeconfig, api.url, { name: 'winnow-trial', login: loginOfKubectl(api, target) });
  return {
    outputs,
    kubeconfig,
    http: new HttpClient(api.url, loginOverHttp(api, target)),
    terminal: await openTerminal({ root: directory, kubeconfig, binary: kubectl }),
  };
}

import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { execEntry } from '../../lib/login/index.ts';
import { deployedApi, type StackOutputs } from './deployed-api.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { screen } from './screen.ts';

const USAGE = `npm run connect -- [--outputs .winnow/outputs.json] [--kubeconfig .winnow/kubeconfig]

  --outputs     what "cdk deploy --outputs-file" wrote, of one stack
  --kubeconfig  where to write a kubeconfig that logs in to it`;

/** A token is a request to AWS' own STS; signed for an emulator's host it would be refused. */
const SIGN_FOR_AWS = { name: 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS', value: 'true' };

/** Writes a kubeconfig for a deployed stack. The endpoint of an emulator is that of the AWS variables. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      outputs: { type: 'string', default: '.winnow/outputs.json' },
      kubeconfig: { type: 'string', default: '.winnow/kubeconfig' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    screen.say(USAGE);
    return;
  }
  const stacks: Record<string, StackOutputs> = JSON.parse(await readFile(values.outputs, 'utf8'));
  const [outputs, ...others] = Object.values(stacks);
  if (outputs === undefined || others.length > 0) throw new Error(`${values.outputs} is not of one stack`);
  const { AWS_ENDPOINT_URL: endpoint, AWS_PROFILE: profile } = process.env;
  const { url, ...cluster } = deployedApi(outputs, endpoint);
  const login = execEntry({ ...cluster, ...(profile === undefined ? {} : { profile }) });
  await writeKubeconfig(values.kubeconfig, url, { ...login, env: [...(login.env ?? []), SIGN_FOR_AWS] });
  screen.say(`Winnow is at ${url}. To use it:`);
  screen.command(`export KUBECONFIG=${values.kubeconfig}`);
  screen.command('kubectl get namespaces');
}

try {
  await main();
} catch (error) {
  screen.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

import { readFile } from 'node:fs/promises';
import { execEntry } from '../../lib/login/index.ts';
import { Client } from '../client.ts';
import { screen } from '../screen.ts';
import type { KubeconfigOptions } from './command.ts';
import { deployedApi, type StackOutputs } from './deployed-api.ts';
import { stackOutputs } from './stack-outputs.ts';
import { writeKubeconfig } from './write-kubeconfig.ts';

const LOCAL_URL = 'http://127.0.0.1:8080';

/** A token is a signed request to AWS' own STS. The authorizer refuses one that is signed for an emulator's host. */
const SIGN_FOR_AWS = { name: 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS', value: 'true' };

/** Writes a kubeconfig, and prints how to use it. `AWS_ENDPOINT_URL` names an emulator. */
export async function kubeconfig(options: KubeconfigOptions): Promise<void> {
  const { local, kubeconfig: file } = options;
  const url =
    local === undefined
      ? await writeDeployed(options)
      : await writeLocal(local === true ? LOCAL_URL : local, options);
  screen.say(`Winnow is at ${url}. To use it:`);
  screen.command(`export KUBECONFIG=${file}`);
  screen.command('kubectl get namespaces');
}

async function writeDeployed({
  stack,
  outputs: file,
  kubeconfig,
  force,
}: KubeconfigOptions): Promise<string> {
  const outputs = stack === undefined ? await readOutputs(file) : await stackOutputs(stack);
  const { AWS_ENDPOINT_URL: endpoint, AWS_PROFILE: profile } = process.env;
  const { url, ...cluster } = deployedApi(outputs, endpoint);
  const entry = execEntry({ ...cluster, ...(profile === undefined ? {} : { profile }) });
  const login = { ...entry, env: [...(entry.env ?? []), SIGN_FOR_AWS] };
  return writeKubeconfig(kubeconfig, url, { login, force });
}

async function writeLocal(given: string, { kubeconfig, force }: KubeconfigOptions): Promise<string> {
  const url = given.replace(/\/+$/, '');
  if (!(await isWinnow(url))) {
    throw new Error(`no Winnow answers at ${url}: "npm start" starts one, and prints its URL`);
  }
  return writeKubeconfig(kubeconfig, url, { force });
}

async function isWinnow(url: string): Promise<boolean> {
  try {
    const { gitVersion } = await new Client(url).ask('GET', '/version');
    return String(gitVersion).endsWith('+winnow');
  } catch {
    return false;
  }
}

async function readOutputs(file: string): Promise<StackOutputs> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(
      `${file} does not exist: "cdk deploy --outputs-file ${file}" writes it; --stack NAME needs no file, ` +
        'and --local is for a running "npm start"',
    );
  });
  const stacks: Record<string, StackOutputs> = JSON.parse(text);
  const [outputs, ...others] = Object.values(stacks);
  if (outputs === undefined || others.length > 0) {
    throw new Error(`${file} must hold the outputs of exactly one stack`);
  }
  return outputs;
}

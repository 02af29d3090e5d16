import { readFile } from 'node:fs/promises';
import { execEntry } from '../../lib/login/index.ts';
import { askAws } from '../ask-aws.ts';
import { Client } from '../client.ts';
import { screen } from '../screen.ts';
import { deployedApi, type StackOutputs } from './deployed-api.ts';
import type { KubeconfigOptions } from './options.ts';
import { replacementNote, type WrittenKubeconfig, writeKubeconfig } from './write-kubeconfig.ts';

interface Description {
  readonly Stacks: readonly {
    readonly Outputs?: readonly { readonly OutputKey: string; readonly OutputValue: string }[];
  }[];
}

const LOCAL_URL = 'http://127.0.0.1:8080';

/** A token is a signed request to AWS' own STS. The authorizer refuses one that is signed for an emulator's host. */
const SIGN_FOR_AWS = { name: 'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS', value: 'true' };

/** The file for a local server. Each deployment has a file of its own next to it. */
const LOCAL_FILE = '.winnow/kubeconfig';

interface Written extends WrittenKubeconfig {
  readonly file: string;
}

/** Writes a kubeconfig, and prints how to use it. `AWS_ENDPOINT_URL` names an emulator. */
export async function kubeconfig(options: KubeconfigOptions): Promise<void> {
  const { local } = options;
  const written =
    local === undefined
      ? await writeDeployed(options)
      : await writeLocal(local === true ? LOCAL_URL : local, options);
  const note = replacementNote(written.file, written);
  if (note !== undefined) screen.note(note);
  screen.say(`Winnow is at ${written.server}. To use it:`);
  screen.command(`export KUBECONFIG=${written.file}`);
  screen.command('kubectl get namespaces');
}

async function writeDeployed(options: KubeconfigOptions): Promise<Written> {
  const { stack, outputs } = await readStack(options);
  const { AWS_ENDPOINT_URL: endpoint, AWS_PROFILE: profile } = process.env;
  const { url, ...cluster } = deployedApi(outputs, endpoint);
  const entry = execEntry({ ...cluster, ...(profile === undefined ? {} : { profile }) });
  const login = { ...entry, env: [...(entry.env ?? []), SIGN_FOR_AWS] };
  const target = `${stack}-${cluster.region}`;
  const { force, kubeconfig: file = `${LOCAL_FILE}-${target}` } = options;
  return { file, ...(await writeKubeconfig(file, url, { name: `winnow-${target}`, login, force })) };
}

async function writeLocal(
  given: string,
  { kubeconfig: file = LOCAL_FILE, force }: KubeconfigOptions,
): Promise<Written> {
  const url = given.replace(/\/+$/, '');
  if (!(await isWinnow(url))) {
    throw new Error(`no Winnow answers at ${url}: "npm start" starts one, and prints its URL`);
  }
  return { file, ...(await writeKubeconfig(file, url, { force })) };
}

async function isWinnow(url: string): Promise<boolean> {
  try {
    const { gitVersion } = await new Client(url).ask('GET', '/version');
    return String(gitVersion).endsWith('+winnow');
  } catch {
    return false;
  }
}

interface Stack {
  readonly stack: string;
  readonly outputs: StackOutputs;
}

async function readStack({ stack, outputs: file }: KubeconfigOptions): Promise<Stack> {
  if (stack === undefined) return readOutputs(file);
  // CloudFormation also accepts a stack's ARN, which holds its name.
  const [, name = stack] = /:stack\/([^/]+)/.exec(stack) ?? [];
  return { stack: name, outputs: await stackOutputs(stack) };
}

async function readOutputs(file: string): Promise<Stack> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(
      `${file} does not exist: "cdk deploy --outputs-file ${file}" writes it; --stack NAME needs no file, ` +
        'and --local is for a running "npm start"',
    );
  });
  const stacks: Record<string, StackOutputs> = JSON.parse(text);
  const [found, ...others] = Object.entries(stacks);
  if (found === undefined || others.length > 0) {
    throw new Error(`${file} must hold the outputs of exactly one stack`);
  }
  const [stack, outputs] = found;
  return { stack, outputs };
}

/** Reads a stack's outputs from CloudFormation. It uses the AWS CLI, which the login needs too. */
async function stackOutputs(stack: string): Promise<StackOutputs> {
  const text = await askAws(['cloudformation', 'describe-stacks', '--stack-name', stack]).catch((error) => {
    const isMissing = error.cause?.code === 'ENOENT';
    throw isMissing ? new Error(`${error.message}; --outputs FILE does not need it`) : error;
  });
  const [found] = (JSON.parse(text) as Description).Stacks;
  return Object.fromEntries(
    (found?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
}

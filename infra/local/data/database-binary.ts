import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };

/** What the embedded DynamoDB's binary is chosen by, as Node names it. */
export type Machine = Pick<NodeJS.Process, 'platform' | 'arch'>;

/** Those for which its maker publishes a package, all of one version. */
const MACHINES = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];
const VERSION = packageJson.optionalDependencies['@dynoxide/linux-x64'];

/** The embedded DynamoDB's program; undefined where there is none for the machine, or it is not installed. */
export function findBinary({ platform, arch }: Machine = process): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packageOf({ platform, arch })}/package.json`);
    return join(dirname(manifest), platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch {
    return undefined;
  }
}

/** What somebody does whose machine lacks the program. */
export function whereToGetOne(machine: Machine = process): string {
  const { platform, arch } = machine;
  const instead =
    'name a DynamoDB of your own in AWS_ENDPOINT_URL_DYNAMODB, for example DynamoDB Local: ' +
    'AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000';
  return !MACHINES.includes(`${platform}-${arch}`)
    ? `There is no embedded DynamoDB for ${platform} on ${arch}. You can ${instead}`
    : `The embedded DynamoDB for ${platform} on ${arch} is not installed. ` +
        `This installs it: npm install --no-save ${packageOf(machine)}@${VERSION}\nOr ${instead}`;
}

const packageOf = ({ platform, arch }: Machine) => `@dynoxide/${platform}-${arch}`;

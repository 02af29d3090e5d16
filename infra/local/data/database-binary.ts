import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };

/** The platform and architecture that select the binary of the embedded DynamoDB. */
export type Machine = Pick<NodeJS.Process, 'platform' | 'arch'>;

/** The machines for which its maker publishes a package, all of the same version. */
const MACHINES = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];
const VERSION = packageJson.optionalDependencies['@dynoxide/linux-x64'];

/** The path of the embedded DynamoDB; undefined if the machine has none, or it is not installed. */
export function findBinary({ platform, arch }: Machine = process): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packageOf({ platform, arch })}/package.json`);
    return join(dirname(manifest), platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch {
    return undefined;
  }
}

/** The error message for a machine without the embedded DynamoDB. */
export function whereToGetOne(machine: Machine = process): string {
  const { platform, arch } = machine;
  const instead =
    'set AWS_ENDPOINT_URL_DYNAMODB to your own DynamoDB, for example DynamoDB Local: ' +
    'AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000';
  return !MACHINES.includes(`${platform}-${arch}`)
    ? `There is no embedded DynamoDB for ${platform} on ${arch}. Instead, ${instead}`
    : `The embedded DynamoDB for ${platform} on ${arch} is not installed. ` +
        `Install it with: npm install --no-save ${packageOf(machine)}@${VERSION}\nOr ${instead}`;
}

const packageOf = ({ platform, arch }: Machine) => `@dynoxide/${platform}-${arch}`;

import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { findBinary, whereToGetOne } from '../../../infra/local/data/database-binary.ts';
import packageJson from '../../../package.json' with { type: 'json' };

const version = packageJson.optionalDependencies['@dynoxide/linux-x64'];

describe('the embedded database', () => {
  it('the embedded database is the installed one for the machine', () => {
    expect(existsSync(findBinary({ platform: 'linux', arch: 'x64' }) ?? '')).toBe(true);
    expect(findBinary({ platform: 'darwin', arch: 'arm64' })).toBeUndefined();
  });

  it.each([
    ['darwin', 'arm64'],
    ['linux', 'arm64'],
  ] as const)('the message for %s on %s gives the install command', (platform, arch) => {
    const says = whereToGetOne({ platform, arch });
    expect(says).toContain(`npm install --no-save @dynoxide/${platform}-${arch}@${version}`);
    expect(says).toContain('AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000');
  });

  it('the message gives no install command for a platform without a binary', () => {
    const says = whereToGetOne({ platform: 'freebsd', arch: 'x64' });
    expect(says).toMatch(/^There is no embedded DynamoDB for freebsd on x64\. .*AWS_ENDPOINT_URL_DYNAMODB=/);
    expect(says).not.toContain('npm install');
  });
});

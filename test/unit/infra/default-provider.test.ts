import { afterEach, describe, expect, it } from '@jest/globals';
import { defaultProvider } from '../../../infra/bundle/default-provider.ts';

const VARIABLES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;
const before = VARIABLES.map((name) => [name, process.env[name]] as const);

function enter(accessKeyId: string): void {
  for (const name of VARIABLES) process.env[name] = name === 'AWS_ACCESS_KEY_ID' ? accessKeyId : 'x';
}

afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) {
      delete process.env[name];
    } else {
      process.env[name] = value;
    }
  }
});

describe('the credentials of a function', () => {
  it('the credentials are those of the environment at the first request, including the session token', async () => {
    const credentials = defaultProvider();
    enter('first');
    expect(await credentials()).toMatchObject({ accessKeyId: 'first', sessionToken: 'x' });
    enter('second');
    expect(await credentials()).toMatchObject({ accessKeyId: 'first' });
    expect(await defaultProvider()()).toMatchObject({ accessKeyId: 'second' });
  });

  it('the environment is read again if there were no credentials', async () => {
    const credentials = defaultProvider();
    delete process.env.AWS_ACCESS_KEY_ID;
    await expect(credentials()).rejects.toThrow('Unable to find environment variable credentials');
    enter('late');
    expect(await credentials()).toMatchObject({ accessKeyId: 'late' });
  });
});

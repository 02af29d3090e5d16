import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { chooseTarget } from '../../deploy/targets/choose-target.ts';
import { findPython } from '../../deploy/targets/find-python.ts';

const variables = ['AWS_ENDPOINT_URL', 'AWS_REGION', 'AWS_DEFAULT_REGION'];
const before = variables.map((name) => [name, process.env[name]] as const);
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  for (const [name, value] of before) {
    if (value === undefined) {
      delete process.env[name];
    } else {
      process.env[name] = value;
    }
  }
});

/** A server at AWS_ENDPOINT_URL. */
async function listen(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${port}`;
  return process.env.AWS_ENDPOINT_URL;
}

const only =
  (...paths: string[]): RequestListener =>
  ({ url = '' }, response) => {
    response.writeHead(paths.includes(url) ? 200 : 404).end();
  };

const choose = (account?: string, emulator?: string) =>
  chooseTarget({ account, emulator, directory: '/nowhere' });

describe('The choice of an AWS account', () => {
  it('An account id is twelve digits', async () => {
    await expect(choose('production')).rejects.toThrow(
      "--account takes the account's 12 digits, not production",
    );
  });

  it('An account cannot be combined with an endpoint', async () => {
    const endpoint = await listen(only());
    await expect(choose('123456789012')).rejects.toThrow(`AWS_ENDPOINT_URL says ${endpoint}`);
  });

  it('An account needs a region', async () => {
    for (const name of variables) delete process.env[name];
    await expect(choose('123456789012')).rejects.toThrow('Set AWS_REGION');
  });
});

describe('The choice of an endpoint', () => {
  it('An endpoint is recognized as LocalStack by its health path', async () => {
    await listen(only('/_localstack/health'));
    expect(await choose()).toMatchObject({ emulator: 'localstack', temporary: false });
  });

  it('An endpoint is recognized as MiniStack, which answers at both paths', async () => {
    const endpoint = await listen(only('/_ministack/health', '/_localstack/health'));
    expect(await choose()).toMatchObject({ emulator: 'ministack', client: { endpoint } });
  });

  it('An endpoint that is neither is refused, because it may be AWS', async () => {
    await listen(only());
    await expect(choose()).rejects.toThrow('is neither MiniStack nor LocalStack');
  });

  it('An endpoint without an answer is refused', async () => {
    await listen(only());
    await new Promise((resolve) => server?.close(resolve));
    await expect(choose()).rejects.toThrow('Nobody answers at AWS_ENDPOINT_URL');
  });
});

describe('The choice of an emulator to start', () => {
  it('An emulator must be a known one', async () => {
    await expect(choose(undefined, 'moto')).rejects.toThrow(
      '--target takes ministack or localstack, not moto',
    );
  });

  it('An emulator cannot be combined with an endpoint', async () => {
    const endpoint = await listen(only());
    await expect(choose(undefined, 'localstack')).rejects.toThrow(
      `--target says localstack, AWS_ENDPOINT_URL says ${endpoint}`,
    );
  });
});

describe('The check of Python', () => {
  const wanted = { by: 'MiniStack', oldest: 10 };

  it('The error without Python names its version and the package', async () => {
    await expect(findPython({ ...wanted, named: 'no-such-python' })).rejects.toThrow(
      /^MiniStack needs Python 3\.10 or later with venv .*\n {2}no-such-python: /s,
    );
  });

  it('A Python that is too old is refused', async () => {
    const python = `${import.meta.dirname}/old-python.sh`;
    await expect(findPython({ ...wanted, named: python })).rejects.toThrow('old-python.sh is 3.9');
  });
});

import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { eventually } from '../support/eventually.ts';
import type { HttpClient } from '../support/service/http-client.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const PATIENCE = 60_000;

/** Creates the custom kinds that files define, and waits until they are served. */
export async function createDefinitions(http: HttpClient, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const { body } = await http.post(DEFINITIONS, parse(await readFile(file, 'utf8')));
    await untilTrue(http, `${DEFINITIONS}/${body.metadata.name}`, 'Established');
  }
}

interface Conditions {
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
}

/** Waits until a condition of an object is True. */
export async function untilTrue(http: HttpClient, path: string, type: string): Promise<void> {
  await eventually(`the condition ${type} of ${path} is True`, () => isTrue(http, path, type), PATIENCE);
}

/** Waits until a condition of an object is not True. */
export async function untilNotTrue(http: HttpClient, path: string, type: string): Promise<void> {
  const isOther = async () => !(await isTrue(http, path, type));
  await eventually(`the condition ${type} of ${path} is not True`, isOther, PATIENCE);
}

async function isTrue(http: HttpClient, path: string, type: string): Promise<boolean> {
  const status = (await http.get(path)).body.status as Conditions | undefined;
  return status?.conditions?.some((one) => one.type === type && one.status === 'True') === true;
}

/** Waits until an object of this path exists. */
export async function untilThere(http: HttpClient, path: string): Promise<void> {
  await eventually(`there is ${path}`, async () => (await http.send('GET', path)).status === 200, PATIENCE);
}

/** Waits until no object of this path exists. */
export async function untilGone(http: HttpClient, path: string): Promise<void> {
  await eventually(`${path} is gone`, async () => (await http.send('GET', path)).status === 404, PATIENCE);
}

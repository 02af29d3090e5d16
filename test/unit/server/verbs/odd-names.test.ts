import { expect, it } from '@jest/globals';
import { type JsonObject, metadataOf } from '../../../../lib/json/index.ts';
import { createMemoryApi, type MemoryApi } from '../../../support/service/memory-api.ts';

const ROLES = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
/** Each name fits into a path, and no two are adjacent in every order. */
const NAMES = [
  'a',
  'a b',
  'a!',
  'a~',
  '~',
  '~x',
  'Ab',
  'system:node',
  'é',
  '～',
  '😀',
  'a\u0001',
  'a#b?c',
  'x'.repeat(280),
];

function namesIn({ items }: JsonObject): string[] {
  return (Array.isArray(items) ? items : []).map((item) => String(metadataOf(item as JsonObject).name));
}

/** The objects in pages of one. */
async function paged(api: MemoryApi): Promise<string[]> {
  const names: string[] = [];
  for (let token = ''; names.length <= NAMES.length; ) {
    const page = await api.ask('GET', `${ROLES}?limit=1${token && `&continue=${token}`}`);
    names.push(...namesIn(page));
    token = String(metadataOf(page).continue ?? '');
    if (token === '') break;
  }
  return names;
}

it('An object with any name that fits into a path is listed in pages, selected by its name, and read', async () => {
  const api = await createMemoryApi();
  for (const name of NAMES) await api.ask('POST', ROLES, { metadata: { name }, rules: [] });
  expect((await paged(api)).sort()).toEqual([...NAMES].sort());
  expect(namesIn(await api.ask('GET', ROLES)).sort()).toEqual([...NAMES].sort());
  for (const name of NAMES) {
    const asked = encodeURIComponent(name);
    expect(metadataOf(await api.ask('GET', `${ROLES}/${asked}`)).name).toBe(name);
    expect(namesIn(await api.ask('GET', `${ROLES}?fieldSelector=metadata.name=${asked}`))).toEqual([name]);
  }
  const long = await api.send('POST', ROLES, { metadata: { name: 'x'.repeat(281) }, rules: [] });
  expect([long.status, String(long.body.message)]).toEqual([422, expect.stringContaining('280 bytes')]);
});

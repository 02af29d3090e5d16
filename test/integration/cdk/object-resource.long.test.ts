import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  createApiClient,
  createObjectResource,
  type ObjectRequest,
} from '../../../functions/subscription/index.ts';
import { type Service, startService } from '../../support/service/service.ts';

const PATH = 'apis/winnow.dev/v1/accessentries/reader';

let service: Service;
let resource: ReturnType<typeof createObjectResource>;

beforeAll(async () => {
  service = await startService();
  const api = createApiClient({ url: `${service.winnow.url}/`, token: async () => 'none is asked for here' });
  resource = createObjectResource({ api });
});

afterAll(() => service.stop());

const request = (
  RequestType: ObjectRequest['RequestType'],
  { path = PATH, username = 'reader', former = undefined as string | undefined, id = 'Entry' } = {},
): ObjectRequest => ({
  RequestType,
  StackId: 'arn:aws:cloudformation:eu-west-1:111122223333:stack/Theirs/1',
  LogicalResourceId: id,
  ...(former !== undefined && { PhysicalResourceId: former }),
  ResourceProperties: {
    path,
    object: JSON.stringify({
      apiVersion: 'winnow.dev/v1',
      kind: 'AccessEntry',
      metadata: { name: path.split('/').at(-1) },
      spec: { principal: `arn:aws:iam::111122223333:role/team/${path.split('/').at(-1)}`, username },
    }),
  },
});

const usernameOf = async (path: string) => (await service.http.get(`/${path}`)).body.spec;

it('the object of a custom resource is created once, also on a repeated request, and updated in place', async () => {
  for (let time = 1; time <= 2; time += 1) {
    expect(await resource(request('Create'))).toEqual({ PhysicalResourceId: PATH });
  }
  await resource(request('Update', { username: 'other', former: PATH }));
  expect(await usernameOf(PATH)).toMatchObject({ username: 'other' });
});

it('a new path creates another object, and the former one is left to be deleted', async () => {
  const path = `${PATH}-2`;
  expect(await resource(request('Update', { path, former: PATH }))).toEqual({ PhysicalResourceId: path });
  expect(await usernameOf(PATH)).toMatchObject({ username: 'other' });
  await resource(request('Delete', { former: PATH }));
  expect((await service.http.send('GET', `/${PATH}`)).status).toBe(404);
});

it('a custom resource does not take over or delete foreign objects, and ignores a missing one', async () => {
  const path = `${PATH}-2`;
  await expect(resource(request('Create', { path, id: 'Another' }))).rejects.toThrow('does not belong');
  await resource(request('Delete', { path, former: path, id: 'Another' }));
  expect(await usernameOf(path)).toMatchObject({ username: 'reader' });
  for (const former of [path, path, 'Theirs-Entry-1']) {
    expect(await resource(request('Delete', { path, former }))).toEqual({ PhysicalResourceId: former });
  }
  expect((await service.http.send('GET', `/${path}`)).status).toBe(404);
});

it('an invalid object is refused with the message of the API', async () => {
  const wrong = request('Create', { path: `${PATH}-3`, username: 'system:masters' });
  await expect(resource(wrong)).rejects.toThrow('must not begin with system:');
});

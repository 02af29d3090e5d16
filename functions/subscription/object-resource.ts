import type { ApiClient } from './api-client.ts';
import { OWNER, ownerOf } from './owner.ts';

/** What CloudFormation asks of a custom resource that is one object of the API's. */
export interface ObjectRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly StackId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: {
    /** `apis/winnow.dev/v1/accessentries/one`: where it changes, another object takes the place of this one. */
    readonly path: string;
    /** The object, JSON. */
    readonly object: string;
  };
}

interface Owned {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

/** An object of the API's as a resource of CloudFormation's, by its path. Each request may come more than once. */
export function createObjectResource({ api }: { readonly api: ApiClient }) {
  return async (request: ObjectRequest): Promise<{ readonly PhysicalResourceId: string }> => {
    const { path } = request.ResourceProperties;
    const former = request.PhysicalResourceId ?? '';
    if (request.RequestType === 'Delete') {
      await remove(former, request);
      return { PhysicalResourceId: former };
    }
    if (path !== former) await refuseOthers(path, request);
    const object = JSON.parse(request.ResourceProperties.object);
    const metadata = { ...object.metadata, annotations: { [OWNER]: ownerOf(request) } };
    await api.ask('PATCH', `${path}?fieldManager=cloudformation&force=true`, { ...object, metadata });
    return { PhysicalResourceId: path };
  };

  /** @throws {Error} one is there that is not of this resource. */
  async function refuseOthers(path: string, request: ObjectRequest): Promise<void> {
    const there = await find(path);
    if (there === undefined || isOf(there, request)) return;
    throw new Error(`${path} is there already, and does not belong to this resource`);
  }

  /** What is somebody else's stays: a creation that was refused is rolled back by a deletion. */
  async function remove(path: string, request: ObjectRequest): Promise<void> {
    // A name that was never a path: creation failed before there was any.
    if (!path.startsWith('apis/')) return;
    const there = await find(path);
    if (there !== undefined && isOf(there, request)) await api.ask('DELETE', path);
  }

  async function find(path: string): Promise<Owned | undefined> {
    return (await api.ask('GET', path)) as Owned | undefined;
  }
}

function isOf({ metadata }: Owned, request: ObjectRequest): boolean {
  return metadata.annotations?.[OWNER] === ownerOf(request);
}

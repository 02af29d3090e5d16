import type { ApiClient } from './api-client.ts';
import { OWNER, ownerOf } from './owner.ts';

/** A request of CloudFormation for a custom resource that is one object of the API. */
export interface ObjectRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly StackId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: {
    /** `apis/winnow.dev/v1/accessentries/one`. If it changes, a new object replaces this one. */
    readonly path: string;
    /** The object as JSON. */
    readonly object: string;
  };
}

interface Owned {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

/** Creates the handler of a custom resource that is one object of the API. CloudFormation may repeat each request. */
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

  /** @throws {Error} the object exists and belongs to another resource or to none. */
  async function refuseOthers(path: string, request: ObjectRequest): Promise<void> {
    const there = await find(path);
    if (there === undefined || isOf(there, request)) return;
    throw new Error(`${path} already exists and does not belong to this resource`);
  }

  /**
   * Deletes the object if it belongs to this resource. CloudFormation also rolls a refused creation back by a
   * deletion.
   */
  async function remove(path: string, request: ObjectRequest): Promise<void> {
    // The id is not a path if the creation failed before it had one.
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

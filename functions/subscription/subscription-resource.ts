import type { ApiClient } from './api-client.ts';
import { OWNER, ownerOf } from './owner.ts';
import { until } from './until.ts';

/** A request of CloudFormation for a custom resource, in the form of the CDK's provider framework. */
export interface ResourceRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly StackId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: {
    readonly namespace: string;
    readonly name: string;
    /** The spec as JSON. */
    readonly spec: string;
  };
}

export interface ResourceAnswer {
  /** `<namespace>/<name>`. If an update returns another id, CloudFormation deletes the resource with the old one. */
  readonly PhysicalResourceId: string;
  readonly Data?: { readonly QueueUrl: string; readonly QueueArn: string };
}

export interface SubscriptionResourceOptions {
  readonly api: ApiClient;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

interface SubscriptionObject {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly status?: { readonly queueUrl?: string; readonly queueArn?: string };
}

/** Creates the handler of a custom resource that is a Subscription. CloudFormation may repeat each request. */
export function createSubscriptionResource({ api, sleep }: SubscriptionResourceOptions) {
  return async (
    request: ResourceRequest,
    context: { readonly invokedFunctionArn: string },
  ): Promise<ResourceAnswer> => {
    const { namespace, name } = request.ResourceProperties;
    const former = request.PhysicalResourceId ?? '';
    if (request.RequestType === 'Delete') {
      await remove(former);
      return { PhysicalResourceId: former };
    }
    const id = `${namespace}/${name}`;
    if (id !== former) await refuseOthers(id, ownerOf(request));
    try {
      return { PhysicalResourceId: id, Data: await apply(request, context.invokedFunctionArn) };
    } catch (error) {
      // CloudFormation does not delete a resource whose creation failed.
      if (id !== former) await remove(id);
      throw error;
    }
  };

  /** @throws {Error} the Subscription exists and belongs to another resource or to none. */
  async function refuseOthers(id: string, owner: string): Promise<void> {
    const there = (await api.ask('GET', pathOf(id))) as SubscriptionObject | undefined;
    if (there === undefined || there.metadata.annotations?.[OWNER] === owner) return;
    throw new Error(`Subscription ${id} already exists and does not belong to this resource`);
  }

  async function apply(request: ResourceRequest, functionArn: string) {
    const { namespace, name, spec } = request.ResourceProperties;
    const path = pathOf(`${namespace}/${name}`);
    await api.ask('PATCH', `${path}?fieldManager=cloudformation&force=true`, {
      apiVersion: 'winnow.dev/v1',
      kind: 'Subscription',
      metadata: { namespace, name, annotations: { [OWNER]: ownerOf(request) } },
      spec: JSON.parse(spec),
    });
    const QueueUrl = await until(sleep, `waiting for the queue of ${namespace}/${name}`, async () => {
      const { status } = (await api.ask('GET', path)) as SubscriptionObject;
      return status?.queueUrl || undefined;
    });
    return { QueueUrl, QueueArn: arnOf(QueueUrl, functionArn) };
  }

  /**
   * Deletes the Subscription, and waits until its queue is gone: the function that deletes queues may be deleted
   * next.
   */
  async function remove(id: string): Promise<void> {
    // The id has another form if the creation failed before it had one.
    if (!/^[^/]+\/[^/]+$/.test(id)) return;
    await api.ask('DELETE', pathOf(id));
    await until(
      sleep,
      `waiting for the deletion of ${id}`,
      async () => (await api.ask('GET', pathOf(id))) === undefined || undefined,
    );
  }
}

function pathOf(id: string): string {
  const [namespace = '', name = ''] = id.split('/');
  return `apis/winnow.dev/v1/namespaces/${namespace}/subscriptions/${name}`;
}

/** The ARN of a queue in the account, region and partition of this function. */
function arnOf(queueUrl: string, functionArn: string): string {
  const [arn, partition, , region, account] = functionArn.split(':');
  return [arn, partition, 'sqs', region, account, queueUrl.slice(queueUrl.lastIndexOf('/') + 1)].join(':');
}

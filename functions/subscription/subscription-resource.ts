import type { ApiClient } from './api-client.ts';
import { OWNER, ownerOf } from './owner.ts';

/** What CloudFormation asks of a custom resource, as the CDK's provider framework hands it on. */
export interface ResourceRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly StackId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: {
    readonly namespace: string;
    readonly name: string;
    /** JSON. */
    readonly spec: string;
  };
}

export interface ResourceAnswer {
  /** `<namespace>/<name>`: where another one comes back, CloudFormation has the former one deleted. */
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

const PAUSE = 1_000;
/** How often it is looked whether the queue is made, or gone: the function has five minutes. */
const LOOKS = 240;

/** A Subscription as a resource of CloudFormation's. Each request may come more than once. */
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
      // Nobody would delete what was not made.
      if (id !== former) await remove(id);
      throw error;
    }
  };

  /** @throws {Error} one is there that is not of this resource. */
  async function refuseOthers(id: string, owner: string): Promise<void> {
    const there = (await api.ask('GET', pathOf(id))) as SubscriptionObject | undefined;
    if (there === undefined || there.metadata.annotations?.[OWNER] === owner) return;
    throw new Error(`Subscription ${id} is there already, and does not belong to this resource`);
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
    const QueueUrl = await until(`the queue of ${namespace}/${name}`, async () => {
      const { status } = (await api.ask('GET', path)) as SubscriptionObject;
      return status?.queueUrl || undefined;
    });
    return { QueueUrl, QueueArn: arnOf(QueueUrl, functionArn) };
  }

  /** Until its queue is gone too: what deletes queues may go next. */
  async function remove(id: string): Promise<void> {
    // A name that was never one: creation failed before there was any.
    if (!/^[^/]+\/[^/]+$/.test(id)) return;
    await api.ask('DELETE', pathOf(id));
    await until(
      `the end of ${id}`,
      async () => (await api.ask('GET', pathOf(id))) === undefined || undefined,
    );
  }

  async function until<Seen>(what: string, look: () => Promise<Seen | undefined>): Promise<Seen> {
    for (let looks = 1; ; looks++) {
      const seen = await look();
      if (seen !== undefined) return seen;
      if (looks === LOOKS) throw new Error(`${what}: not within ${(LOOKS * PAUSE) / 1_000} s`);
      await sleep(PAUSE);
    }
  }
}

function pathOf(id: string): string {
  const [namespace = '', name = ''] = id.split('/');
  return `apis/winnow.dev/v1/namespaces/${namespace}/subscriptions/${name}`;
}

/** In the account, region and partition of this function. */
function arnOf(queueUrl: string, functionArn: string): string {
  const [arn, partition, , region, account] = functionArn.split(':');
  return [arn, partition, 'sqs', region, account, queueUrl.slice(queueUrl.lastIndexOf('/') + 1)].join(':');
}

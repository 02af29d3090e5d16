import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  QueueDoesNotExist,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { ENTRY_POINT_METADATA } from '../../lib/platform/index.ts';
import { createResolver, type Physical } from './intrinsics.ts';
import type { Resource, Template } from './template.ts';

export interface ResourcesOptions {
  readonly template: Template;
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly sqsEndpoint: string;
  /** Whether queues of an earlier run may exist. */
  readonly queuesLastOn?: boolean;
  readonly region: string;
}

const ACCOUNT = '000000000000';

/** Properties of a queue in the template that are not attributes in SQS. All others have the same name there. */
const NOT_ATTRIBUTES = new Set(['QueueName', 'Tags']);

/**
 * Creates the template's queues, and its table if it does not exist. Returns the names of all resources. The queues
 * always start empty: messages of an earlier run may be invisible for minutes and suppress duplicates, and the first
 * tick repeats them anyway.
 */
export async function createResources(options: ResourcesOptions): Promise<ReadonlyMap<string, Physical>> {
  const physical = new Map<string, Physical>(pseudoParameters(options.region));
  const resources = Object.entries(options.template.Resources);
  for (const [id, resource] of resources) {
    const known = name(id, resource, options);
    if (known) physical.set(id, known);
  }
  await Promise.all([
    ...resources
      .filter(typed('AWS::SQS::Queue'))
      .map(([id, queue]) => createQueue(id, queue, physical, options)),
    ...resources.filter(typed('AWS::DynamoDB::Table')).map(async ([id, table]) => {
      const { ref, attributes } = existing(physical, id);
      const StreamArn = await createTable(ref, table, options.dynamodb);
      physical.set(id, { ref, attributes: { ...attributes, StreamArn } });
    }),
  ]);
  return physical;
}

function pseudoParameters(region: string): [string, Physical][] {
  const values = {
    'AWS::AccountId': ACCOUNT,
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::StackId': `arn:aws:cloudformation:${region}:${ACCOUNT}:stack/Winnow/local`,
    'AWS::URLSuffix': 'amazonaws.com',
  };
  return Object.entries(values).map(([id, ref]) => [id, { ref, attributes: {} }]);
}

function typed(type: string): (entry: readonly [string, Resource]) => boolean {
  return ([, resource]) => resource.Type === type;
}

function existing(physical: ReadonlyMap<string, Physical>, id: string): Physical {
  const found = physical.get(id);
  if (!found) throw new Error(`${id} has no name`);
  return found;
}

function name(
  id: string,
  { Type, Properties, Metadata }: Resource,
  options: ResourcesOptions,
): Physical | undefined {
  const { region, sqsEndpoint } = options;
  const arn = (service: string, resource: string) => `arn:aws:${service}:${region}:${ACCOUNT}:${resource}`;
  if (Type === 'AWS::SQS::Queue') {
    const queue = Properties?.FifoQueue ? `Winnow-${id}.fifo` : `Winnow-${id}`;
    const ref = `${sqsEndpoint}/${ACCOUNT}/${queue}`;
    return { ref, attributes: { Arn: arn('sqs', queue), QueueName: queue } };
  }
  if (Type === 'AWS::DynamoDB::Table') {
    return { ref: `Winnow-${id}`, attributes: { Arn: arn('dynamodb', `table/Winnow-${id}`) } };
  }
  if (Type === 'AWS::KMS::Key') return { ref: id, attributes: { Arn: arn('kms', `key/${id}`) } };
  if (Type === 'AWS::Lambda::Function') {
    const entryPoint = String(Metadata?.[ENTRY_POINT_METADATA]);
    return { ref: entryPoint, attributes: { Arn: arn('lambda', `function:${entryPoint}`) } };
  }
  return undefined;
}

async function createQueue(
  id: string,
  { Properties = {} }: Resource,
  physical: ReadonlyMap<string, Physical>,
  { sqs, queuesLastOn = false }: ResourcesOptions,
): Promise<void> {
  const properties = createResolver(physical)(Properties) as Record<string, unknown>;
  const attributes = Object.entries(properties).filter(([key]) => !NOT_ATTRIBUTES.has(key));
  const { ref: QueueUrl } = existing(physical, id);
  if (queuesLastOn) {
    await sqs.send(new DeleteQueueCommand({ QueueUrl })).catch((error: unknown) => {
      if (!(error instanceof QueueDoesNotExist)) throw error;
    });
  }
  const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  await sqs.send(
    new CreateQueueCommand({
      QueueName: existing(physical, id).attributes.QueueName,
      Attributes: Object.fromEntries(attributes.map(([key, value]) => [key, text(value)])),
    }),
  );
}

interface TableProperties
  extends Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema' | 'GlobalSecondaryIndexes'> {
  readonly StreamSpecification: { readonly StreamViewType: 'KEYS_ONLY' };
  readonly TimeToLiveSpecification: { readonly AttributeName: string; readonly Enabled: boolean };
}

/** Creates a table if it does not exist. Returns the ARN of its stream. */
async function createTable(TableName: string, resource: Resource, dynamodb: DynamoDBClient): Promise<string> {
  const properties = resource.Properties as unknown as TableProperties;
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, StreamSpecification } = properties;
  try {
    await dynamodb.send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions,
        KeySchema,
        GlobalSecondaryIndexes,
        BillingMode: 'PAY_PER_REQUEST',
        StreamSpecification: { StreamEnabled: true, ...StreamSpecification },
      }),
    );
    const { TimeToLiveSpecification } = properties;
    await dynamodb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
  if (!Table?.LatestStreamArn) throw new Error(`${TableName} has no stream`);
  return Table.LatestStreamArn;
}

import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  Table as DynamoTable,
  type IScalableTableAttribute,
  type ITable,
  ProjectionType,
  StreamViewType,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { TABLE } from '../../../lib/platform/index.ts';
import { type CapacityRange, ofOneIndex, type Provisioned } from '../../billing.ts';
import type { Gaps } from '../../emulators.ts';

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

export interface TableProps {
  /** Whether the table is deleted with the stack. Otherwise it is retained and protected against deletion. */
  readonly destroyable: boolean;
  /** Absent for on-demand billing. */
  readonly provisioned?: Provisioned | undefined;
  /** The write units per second that the table takes at once; absent for those of a new table. */
  readonly warmWriteUnits?: number | undefined;
  /** The ARN of the stream of an existing table, which the stack then uses. */
  readonly stream?: string | undefined;
  /** The KMS key; absent for a key of AWS. */
  readonly key?: IKey | undefined;
  readonly gaps: Gaps;
}

/**
 * The table with its label indexes and its stream. All indexes are created with the table, because CloudFormation adds
 * only one index at a time to an existing table, and replaces no index.
 */
export class Table extends Construct {
  readonly table: ITable;
  readonly streamArn: string;

  /** @throws {Error} `stream` is not the ARN of a table's stream, or `provisioned` or `warmWriteUnits` is set for an existing table. */
  constructor(scope: Construct, id: string, { stream, ...props }: TableProps) {
    super(scope, id);
    this.table = stream === undefined ? this.#make(props) : this.#adopt(stream, props);
    if (!this.table.tableStreamArn) throw new Error('the table has no stream');
    this.streamArn = this.table.tableStreamArn;
  }

  /** Uses an existing table, which `winnow restore` has prepared. The stack never changes or deletes it. */
  #adopt(tableStreamArn: string, { provisioned, warmWriteUnits }: TableProps): ITable {
    const [tableArn = '', label] = tableStreamArn.split('/stream/');
    if (!/^arn:[^:]+:dynamodb:[^:]+:\d+:table\/[\w.-]+$/.test(tableArn) || !label) {
      throw new Error(`tableStream is ${tableStreamArn}: it must be the ARN of a table's stream`);
    }
    if (provisioned) {
      throw new Error(
        'billing=provisioned cannot be combined with tableStream: the stack does not change the capacity of an existing table',
      );
    }
    if (warmWriteUnits !== undefined) {
      throw new Error(
        'warmWriteUnits cannot be combined with tableStream: the stack does not change the capacity of an existing table',
      );
    }
    const globalIndexes = TABLE.indexes.map(({ name }) => name);
    return DynamoTable.fromTableAttributes(this, 'Adopted', { tableArn, tableStreamArn, globalIndexes });
  }

  #make({ destroyable, provisioned, warmWriteUnits, key, gaps }: Omit<TableProps, 'stream'>): DynamoTable {
    const table = new DynamoTable(this, 'Slotted', {
      partitionKey: text(TABLE.partitionKey),
      sortKey: text(TABLE.sortKey),
      billingMode: provisioned ? BillingMode.PROVISIONED : BillingMode.PAY_PER_REQUEST,
      ...leastOf(provisioned),
      ...(warmWriteUnits !== undefined && { warmThroughput: { writeUnitsPerSecond: warmWriteUnits } }),
      stream: StreamViewType.KEYS_ONLY,
      timeToLiveAttribute: TABLE.ttl,
      ...(key === undefined
        ? { encryption: TableEncryption.AWS_MANAGED }
        : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: !destroyable,
      removalPolicy: destroyable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    for (const index of TABLE.indexes) {
      table.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: [TABLE.projected],
        ...leastOf(provisioned && ofOneIndex(provisioned)),
      });
    }
    if (provisioned && !gaps['auto-scaling']) scaleByUse(table, provisioned);
    return table;
  }
}

/** The initial capacity, which is also the minimum; without auto scaling it stays. */
function leastOf(provisioned: Provisioned | undefined) {
  return provisioned && { readCapacity: provisioned.read.minimum, writeCapacity: provisioned.write.minimum };
}

/** Scales the capacity of the table and of each index by its own use, towards the target utilization. */
function scaleByUse(table: DynamoTable, provisioned: Provisioned): void {
  const { read, write, utilization } = provisioned;
  const index = ofOneIndex(provisioned);
  const near = (capacity: IScalableTableAttribute) =>
    capacity.scaleOnUtilization({ targetUtilizationPercent: utilization });
  near(table.autoScaleReadCapacity(limits(read)));
  near(table.autoScaleWriteCapacity(limits(write)));
  for (const { name } of TABLE.indexes) {
    near(table.autoScaleGlobalSecondaryIndexReadCapacity(name, limits(index.read)));
    near(table.autoScaleGlobalSecondaryIndexWriteCapacity(name, limits(index.write)));
  }
}

function limits({ minimum, maximum }: CapacityRange) {
  return { minCapacity: minimum, maxCapacity: maximum };
}

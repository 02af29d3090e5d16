import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  Table as DynamoTable,
  type ITable,
  ProjectionType,
  StreamViewType,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { TABLE } from '../../lib/platform/index.ts';
import { ofOneIndex, type Provisioned } from '../billing.ts';
import type { Gaps } from '../emulators.ts';
import { scaleByUse } from './auto-scaling.ts';

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

export interface TableProps {
  /** Whether it goes with the stack; otherwise it is kept, and protected against deletion. */
  readonly destroyable: boolean;
  /** Without it every request is paid for by itself. */
  readonly provisioned?: Provisioned | undefined;
  /** The ARN of the stream of a table that is there: that is used, and none is made. */
  readonly stream?: string | undefined;
  /** Of whom the key is; one of AWS' where it is absent. */
  readonly key?: IKey | undefined;
  readonly gaps: Gaps;
}

/**
 * The one table with its label indexes and its stream. All indexes are made with it: CloudFormation adds one at a time
 * to a table that is there, and replaces none.
 */
export class Table extends Construct {
  readonly table: ITable;
  readonly streamArn: string;

  /** @throws {Error} what is no stream's ARN, or capacity for a table that is not the stack's own. */
  constructor(scope: Construct, id: string, { stream, ...props }: TableProps) {
    super(scope, id);
    this.table = stream === undefined ? this.#make(props) : this.#adopt(stream, props);
    if (!this.table.tableStreamArn) throw new Error('the table has no stream');
    this.streamArn = this.table.tableStreamArn;
  }

  /** As `winnow restore` leaves it. It stays as it is, whatever becomes of the stack. */
  #adopt(tableStreamArn: string, { provisioned }: TableProps): ITable {
    const [tableArn = '', label] = tableStreamArn.split('/stream/');
    if (!/^arn:[^:]+:dynamodb:[^:]+:\d+:table\/[\w.-]+$/.test(tableArn) || !label) {
      throw new Error(`${tableStreamArn} is not the ARN of a table's stream`);
    }
    if (provisioned) throw new Error('the capacity of a table that is there already is its own');
    const globalIndexes = TABLE.indexes.map(({ name }) => name);
    return DynamoTable.fromTableAttributes(this, 'Adopted', { tableArn, tableStreamArn, globalIndexes });
  }

  #make({ destroyable, provisioned, key, gaps }: Omit<TableProps, 'stream'>): DynamoTable {
    const table = new DynamoTable(this, 'Slotted', {
      partitionKey: text(TABLE.partitionKey),
      sortKey: text(TABLE.sortKey),
      billingMode: provisioned ? BillingMode.PROVISIONED : BillingMode.PAY_PER_REQUEST,
      ...leastOf(provisioned),
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

/** Where auto scaling begins, and where it stays without. */
function leastOf(provisioned: Provisioned | undefined) {
  return provisioned && { readCapacity: provisioned.read.minimum, writeCapacity: provisioned.write.minimum };
}

import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  BillingMode,
  Table as DynamoTable,
  ProjectionType,
  StreamViewType,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
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
  readonly gaps: Gaps;
}

/**
 * The one table with its label indexes and its stream. All indexes are made with it: CloudFormation adds one at a time
 * to a table that is there, and replaces none.
 */
export class Table extends Construct {
  readonly table: DynamoTable;
  readonly streamArn: string;

  constructor(scope: Construct, id: string, { destroyable, provisioned, gaps }: TableProps) {
    super(scope, id);
    this.table = new DynamoTable(this, 'Slotted', {
      partitionKey: text(TABLE.partitionKey),
      sortKey: text(TABLE.sortKey),
      billingMode: provisioned ? BillingMode.PROVISIONED : BillingMode.PAY_PER_REQUEST,
      ...leastOf(provisioned),
      stream: StreamViewType.KEYS_ONLY,
      timeToLiveAttribute: TABLE.ttl,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: !destroyable,
      removalPolicy: destroyable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    for (const index of TABLE.indexes) {
      this.table.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: [TABLE.projected],
        ...leastOf(provisioned && ofOneIndex(provisioned)),
      });
    }
    if (provisioned && !gaps['auto-scaling']) scaleByUse(this.table, provisioned);
    if (!this.table.tableStreamArn) throw new Error('the table has no stream');
    this.streamArn = this.table.tableStreamArn;
  }
}

/** Where auto scaling begins, and where it stays without. */
function leastOf(provisioned: Provisioned | undefined) {
  return provisioned && { readCapacity: provisioned.read.minimum, writeCapacity: provisioned.write.minimum };
}

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

const text = (name: string): Attribute => ({ name, type: AttributeType.STRING });

export interface TableProps {
  /** Whether it goes with the stack; otherwise it is kept, and protected against deletion. */
  readonly destroyable: boolean;
}

/** The one table with its label indexes and its stream. */
export class Table extends Construct {
  readonly table: DynamoTable;
  readonly streamArn: string;

  constructor(scope: Construct, id: string, { destroyable }: TableProps) {
    super(scope, id);
    this.table = new DynamoTable(this, 'Table', {
      partitionKey: text(TABLE.partitionKey),
      sortKey: text(TABLE.sortKey),
      billingMode: BillingMode.PAY_PER_REQUEST,
      stream: StreamViewType.KEYS_ONLY,
      timeToLiveAttribute: TABLE.ttl,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: !destroyable,
      removalPolicy: destroyable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    for (const index of [TABLE.byLabel, TABLE.byLabelKey]) {
      this.table.addGlobalSecondaryIndex({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        projectionType: ProjectionType.ALL,
      });
    }
    if (!this.table.tableStreamArn) throw new Error('the table has no stream');
    this.streamArn = this.table.tableStreamArn;
  }
}

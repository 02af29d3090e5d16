import type { IScalableTableAttribute, Table } from 'aws-cdk-lib/aws-dynamodb';
import { TABLE } from '../../lib/platform/index.ts';
import { type CapacityRange, ofOneIndex, type Provisioned } from '../billing.ts';

/** Scales the capacity of the table and of each index by its own use, towards the target utilization. */
export function scaleByUse(table: Table, provisioned: Provisioned): void {
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

import type { IScalableTableAttribute, Table } from 'aws-cdk-lib/aws-dynamodb';
import { TABLE } from '../../lib/platform/index.ts';
import type { CapacityRange, Provisioned } from '../billing.ts';

/** Keeps the capacity of the table and of both its indexes, each by its own use, near the utilization. */
export function scaleByUse(table: Table, { read, write, utilization }: Provisioned): void {
  const near = (capacity: IScalableTableAttribute) =>
    capacity.scaleOnUtilization({ targetUtilizationPercent: utilization });
  near(table.autoScaleReadCapacity(limits(read)));
  near(table.autoScaleWriteCapacity(limits(write)));
  for (const { name } of [TABLE.byLabel, TABLE.byLabelKey]) {
    near(table.autoScaleGlobalSecondaryIndexReadCapacity(name, limits(read)));
    near(table.autoScaleGlobalSecondaryIndexWriteCapacity(name, limits(write)));
  }
}

function limits({ minimum, maximum }: CapacityRange) {
  return { minCapacity: minimum, maxCapacity: maximum };
}

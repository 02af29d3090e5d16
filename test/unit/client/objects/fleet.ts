import { defineKind, type StandardSchema } from '../../../../lib/client/objects/index.ts';

/** A schema with the types that zod's would have. It checks nothing; only the server does. */
export function schema<Input, Output = Input>(): StandardSchema<Input, Output> {
  return { '~standard': {} };
}

export interface DeviceInput {
  model: string;
  state?: 'active' | 'retired';
  radio?: { band: number; names?: string[] };
}

export interface DeviceSpec extends DeviceInput {
  state: 'active' | 'retired';
}

export const Device = defineKind({
  group: 'fleet.example',
  version: 'v1',
  kind: 'Device',
  plural: 'devices',
  spec: schema<DeviceInput, DeviceSpec>(),
  status: schema<{ seen?: string; faults?: number }>(),
  selectable: ['spec.state', 'spec.radio.band'],
  columns: { Model: 'spec.model', Seen: 'status.seen', Made: 'metadata.creationTimestamp' },
});

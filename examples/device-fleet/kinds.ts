import { defineKind } from '@winnow-dev/client/objects';
import { z } from 'zod';

/** A device of the fleet. This file is the only description of the kind: types, definition and columns come from it. */
export const Device = defineKind({
  group: 'fleet.example',
  version: 'v1',
  kind: 'Device',
  plural: 'devices',
  spec: z.object({
    model: z.string(),
    state: z.enum(['active', 'retired']).default('active'),
  }),
  selectable: ['spec.state'],
  columns: { Model: 'spec.model', State: 'spec.state' },
});

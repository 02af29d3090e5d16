import { expect, it } from '@jest/globals';
import { moduleOf } from '../../../../cli/types/module-of.ts';
import { readKind } from '../../../../cli/types/read-kind.ts';
import { createMemoryApi } from '../../../support/service/memory-api.ts';
import { compile } from './compile.ts';

const text = { type: 'string' };
/** A schema with each form that a definition can have. */
const SPEC = {
  type: 'object',
  description: 'What the gate\nis meant to be. It ends a comment: */',
  required: ['model', 'state', 'size'],
  properties: {
    model: { ...text, description: 'The model.' },
    state: { ...text, enum: ['open', 'shut'], default: 'open' },
    size: { type: 'integer', nullable: true },
    mode: { ...text, enum: ['a', null], nullable: true },
    port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    labels: { type: 'object', additionalProperties: text },
    states: { type: 'array', items: { ...text, enum: ['x', 'y'] } },
    'with-dash': { type: 'boolean' },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
    bare: { type: 'object' },
    open: { type: 'object', properties: { a: text }, 'x-kubernetes-preserve-unknown-fields': true },
    empty: { type: 'object', default: {}, properties: { b: { type: 'number', default: 5 } } },
    parts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id'],
        properties: { id: text, rate: { type: 'number', default: 1 } },
      },
    },
    Record: { type: 'object', properties: { a: text } },
  },
};
const WRITTEN = `// Types of gates in fleet.example/v1, written by winnow types. Use them as
// winnow.objects(resource<Gate>('fleet.example/v1', 'gates'))
import type { Kind } from '@winnow-dev/client/objects';

/** A gate. */
export type Gate = Kind<{
  /**
   * What the gate
   * is meant to be. It ends a comment: *\\/
   */
  spec: GateSpec;
  status?: GateStatus;
}, {
  /**
   * What the gate
   * is meant to be. It ends a comment: *\\/
   */
  spec: GateSpecInput;
}, "spec.state" | "spec.size">;

/**
 * What the gate
 * is meant to be. It ends a comment: *\\/
 */
export interface GateSpec {
  /** The model. */
  model: string;
  state: "open" | "shut";
  size: number | null;
  mode?: "a" | null;
  port?: number | string;
  labels?: Record<string, string>;
  states?: ("x" | "y")[];
  "with-dash"?: boolean;
  any?: unknown;
  bare?: Record<string, unknown>;
  open?: GateSpecOpen;
  empty: GateSpecEmpty;
  parts?: GateSpecPartsItem[];
  Record?: GateSpecRecord;
}

export interface GateSpecOpen {
  a?: string;
  [key: string]: unknown;
}

export interface GateSpecEmpty {
  b: number;
}

export interface GateSpecPartsItem {
  id: string;
  rate: number;
}

export interface GateSpecRecord {
  a?: string;
}

export interface GateStatus {
  seen?: string;
}

/**
 * What the gate
 * is meant to be. It ends a comment: *\\/
 */
export interface GateSpecInput {
  /** The model. */
  model: string;
  state?: "open" | "shut";
  size: number | null;
  mode?: "a" | null;
  port?: number | string;
  labels?: Record<string, string>;
  states?: ("x" | "y")[];
  "with-dash"?: boolean;
  any?: unknown;
  bare?: Record<string, unknown>;
  open?: GateSpecOpen;
  empty?: GateSpecEmptyInput;
  parts?: GateSpecPartsItemInput[];
  Record?: GateSpecRecord;
}

export interface GateSpecEmptyInput {
  b?: number;
}

export interface GateSpecPartsItemInput {
  id: string;
  rate?: number;
}
`;

it('The types of a definition have its enums, defaults, maps, descriptions and selectable fields', async () => {
  const api = await createMemoryApi();
  const status = { type: 'object', properties: { seen: text } };
  const schema = {
    type: 'object',
    description: 'A gate.',
    required: ['spec'],
    properties: { spec: SPEC, status },
  };
  await api.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gates.fleet.example' },
    spec: {
      group: 'fleet.example',
      scope: 'Namespaced',
      names: { plural: 'gates', singular: 'gate', kind: 'Gate' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: { status: {} },
          selectableFields: [{ jsonPath: '.spec.state' }, { jsonPath: '.spec.size' }],
        },
      ],
    },
  });
  const found = {
    root: '/apis/fleet.example/v1',
    plural: 'gates',
    kind: 'Gate',
    namespaced: true,
    hasStatus: true,
  };
  const written = moduleOf(await readKind(api, found));
  expect(written).toBe(WRITTEN);
  const uses = `
    import { connect, resource } from '@winnow-dev/client/objects';
    import type { Gate } from './gate.ts';
    const gates = connect().objects(resource<Gate>('fleet.example/v1', 'gates'), { namespace: 'default' });
    const gate = await gates.create({ metadata: { name: 'a' }, spec: { model: 'x', size: null } });
    const state: 'open' | 'shut' = gate.spec.state;
    gates.list('', { fields: { 'spec.state': state } });
    // @ts-expect-error: this field is not selectable
    gates.list('', { fields: { 'spec.model': 'x' } });
  `;
  expect(await compile({ gate: written, uses })).toBe('');
});

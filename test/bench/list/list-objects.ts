import type { JsonObject, ObjectName } from '../../../lib/json/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';

/** The runs of objects that carry `left` and `right` in turn. */
const RUNS = 20;

export function nameOf(index: number): ObjectName {
  return { namespace: 'default', name: `pod-${String(index).padStart(7, '0')}` };
}

/**
 * The labels of object `index` of `objects`, which are a multiple of 1,000. Whatever their number, 10 carry `ten`
 * and 1,000 `thousand`, evenly spread; half carry `left` and half `right`, in runs, and 10 of them both; all but
 * 100 carry `app`, with one of 20 values.
 */
export function labelsOf(index: number, objects: number): Labels {
  const every = (count: number, offset: number) => index % (objects / count) === offset;
  const left = Math.floor((index * RUNS) / objects) % 2 === 0;
  const both = every(10, objects / 10 - 1);
  return {
    ...(!every(100, 0) && { app: `a${index % 20}` }),
    ...((left || both) && { left: 'yes' }),
    ...((!left || both) && { right: 'yes' }),
    ...(every(10, 7) && { ten: 'yes' }),
    ...(every(1_000, 0) && { thousand: 'yes' }),
  };
}

/** A pod of about 1 KB. */
export function podOf(name: ObjectName, uid: string, labels: Labels): JsonObject {
  const container = (index: number) => ({
    name: `container-${index}`,
    image: `registry.example/team/${name.name}:${uid.length}.${index}`,
    ports: [{ containerPort: 8080 + index, protocol: 'TCP' }],
    resources: {
      limits: { cpu: `${index + 1}`, memory: '512Mi' },
      requests: { cpu: '100m', memory: '64Mi' },
    },
    env: [{ name: 'NAME', value: name.name }],
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...name, uid, labels: { ...labels }, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { containers: [0, 1, 2].map(container), nodeName: `node-${name.name.slice(-2)}` },
    status: { phase: 'Running' },
  };
}

export interface ListCase {
  readonly what: string;
  readonly selector: string;
  /** Objects that match. */
  readonly matches: number;
  /** Rows of the sparsest positive requirement, of `objects`; undefined where none is positive. */
  sparsest(objects: number): number | undefined;
}

const constant = (rows: number) => () => rows;

export const LIST_CASES: readonly ListCase[] = [
  { what: 'nothing', selector: 'ten=no', matches: 0, sparsest: constant(0) },
  { what: 'ten', selector: 'ten=yes', matches: 10, sparsest: constant(10) },
  { what: 'a thousand', selector: 'thousand=yes', matches: 1_000, sparsest: constant(1_000) },
  { what: 'the rare of two', selector: 'app=a7,ten=yes', matches: 10, sparsest: constant(10) },
  {
    what: 'two that share little',
    selector: 'left=yes,right=yes',
    matches: 10,
    sparsest: (objects) => objects / 2,
  },
  { what: 'exists', selector: 'ten', matches: 10, sparsest: constant(10) },
  { what: 'negatives only', selector: '!app', matches: 100, sparsest: () => undefined },
];

import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/index.ts';
import { deducedShape, kindShape, type Shape } from '../../../lib/kubernetes/apply/index.ts';
import type { FieldTable } from '../../../lib/kubernetes/fields/index.ts';
import { SeededRandom } from '../../bench/inputs/random.ts';
import { CUSTOM, CUSTOM_TYPE, shapeOfType } from './custom-type.ts';
import { type Chances, Gardener, type Growing, growingMessage, growingType } from './growing.ts';

/** Several writes to one object, one after the other. */
export interface Story {
  readonly apiVersion: string;
  readonly kind: string;
  /** The name of its type for the oracle; `''` if the oracle deduces the type. */
  readonly type: string;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly operation: 'apply' | 'update';
  readonly manager: string;
  readonly force: boolean;
  readonly subresource: string;
  readonly object: JsonObject;
}

/** A type of object for stories. */
interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly type: string;
  readonly growing: Growing;
  readonly shape: Shape;
}

const BUILTIN = [
  ['v1', 'ConfigMap', 'io.k8s.api.core.v1.ConfigMap'],
  ['v1', 'Service', 'io.k8s.api.core.v1.Service'],
  ['v1', 'Pod', 'io.k8s.api.core.v1.Pod'],
  ['v1', 'Node', 'io.k8s.api.core.v1.Node'],
  ['v1', 'ServiceAccount', 'io.k8s.api.core.v1.ServiceAccount'],
  ['apps/v1', 'Deployment', 'io.k8s.api.apps.v1.Deployment'],
  ['apps/v1', 'StatefulSet', 'io.k8s.api.apps.v1.StatefulSet'],
  ['networking.k8s.io/v1', 'NetworkPolicy', 'io.k8s.api.networking.v1.NetworkPolicy'],
] as const;

const MANAGERS = ['a', 'b', 'c', 'kubectl', ''];
const METADATA = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'generation'];
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const DEPTH = 4;
/** managedFields that clients may send, most of them wrong. */
const SENT: readonly JsonValue[] = [
  [],
  [{}],
  [{ manager: 'x', operation: 'Foo', apiVersion: 'v1' }],
  [
    {
      manager: 'x',
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { nonsense: {} },
    },
  ],
  [{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' }],
  [
    {
      manager: 'a',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:spec': {
          'f:z': {},
          'f:a': { '.': {}, 'k:{"z":1,"a":"<"}': { 'x:later': {} }, 'v:2': {}, 'i:1': {} },
        },
        'f:metadata': { 'f:labels': { 'f:b': {}, 'f:a': {} } },
      },
    },
  ],
];

/** The stories of a seed, always the same and in the same order. */
export class Stories {
  readonly #random: SeededRandom;
  readonly #subjects: readonly Subject[];

  constructor(seed: number, table: FieldTable) {
    this.#random = new SeededRandom(seed);
    this.#subjects = [
      ...BUILTIN.map((names) => builtin(table, names)),
      custom(),
      custom(),
      custom(),
      deduced(),
    ];
  }

  next(): { story: Story; shape: Shape } {
    const subject = this.#random.pick(this.#subjects);
    const telling = new Telling(this.#random, subject);
    const steps = Array.from({ length: 2 + this.#random.below(6) }, () => telling.step());
    const { apiVersion, kind, type, shape } = subject;
    return { story: { apiVersion, kind, type, steps }, shape };
  }
}

class Telling {
  readonly #random: SeededRandom;
  readonly #subject: Subject;
  readonly #chosen = new Map<string, readonly string[]>();
  readonly #pool: JsonObject[] = [];

  constructor(random: SeededRandom, subject: Subject) {
    this.#random = random;
    this.#subject = subject;
    const metadata = subject.growing.map?.fields.get('metadata')?.();
    const names = [...(metadata?.map?.fields.keys() ?? [])];
    this.#chosen.set(
      names.join(),
      names.filter((name) => METADATA.includes(name)),
    );
    this.#chosen.set([...(subject.growing.map?.fields.keys() ?? [])].join(), [
      ...(subject.growing.map?.fields.keys() ?? []),
    ]);
  }

  step(): Step {
    const operation = this.#random.chance(0.65) ? 'apply' : 'update';
    const faulty = operation === 'apply' && this.#random.chance(0.1);
    const chances: Chances = faulty
      ? { wrong: 0.05, repeated: 0.5 }
      : { wrong: 0, repeated: operation === 'update' ? 0.05 : 0 };
    const manager = this.#random.pick(MANAGERS);
    const object = this.#object(new Gardener(this.#random, chances, this.#chosen));
    if (!faulty) this.#pool.push(object);
    return {
      operation,
      manager,
      force: this.#random.chance(0.4),
      subresource: this.#random.chance(0.12) ? 'status' : '',
      object: operation === 'update' ? this.#updated(object, manager) : object,
    };
  }

  #object(gardener: Gardener): JsonObject {
    const { growing, apiVersion, kind } = this.#subject;
    const older = this.#pool.length === 0 ? undefined : this.#random.pick(this.#pool);
    const grown = older === undefined ? gardener.grow(growing, DEPTH) : gardener.vary(growing, older, DEPTH);
    const body = isJsonObject(grown) ? grown : {};
    const metadata = withoutNulls(isJsonObject(body.metadata) ? body.metadata : {});
    return { ...body, apiVersion, kind, metadata: { ...metadata, name: 'x' } };
  }

  /** Adds what only updates have: the annotation of client-side apply, and managedFields from the client. */
  #updated(object: JsonObject, manager: string): JsonObject {
    const metadata = isJsonObject(object.metadata) ? object.metadata : {};
    const annotations = isJsonObject(metadata.annotations) ? metadata.annotations : {};
    const client = manager === 'kubectl' || this.#random.chance(0.1);
    const said: JsonObject = client
      ? { annotations: { ...annotations, [LAST_APPLIED]: JSON.stringify(object) } }
      : {};
    const managers: JsonObject = this.#random.chance(0.06) ? { managedFields: this.#sent() } : {};
    return { ...object, metadata: { ...metadata, ...said, ...managers } };
  }

  /** Entries with the apiVersion of the story. */
  #sent(): JsonValue {
    const text = JSON.stringify(this.#random.pick(SENT));
    return JSON.parse(text.replaceAll('"v1"', JSON.stringify(this.#subject.apiVersion)));
  }
}

/**
 * Drops annotations that are null. Winnow's decoding drops them before fields have owners; the oracle decodes nothing.
 */
function withoutNulls({ annotations, ...metadata }: JsonObject): JsonObject {
  if (!isJsonObject(annotations)) return metadata;
  const kept = Object.entries(annotations).filter(([, value]) => typeof value === 'string');
  return { ...metadata, annotations: Object.fromEntries(kept) };
}

function builtin(table: FieldTable, [apiVersion, kind, type]: (typeof BUILTIN)[number]): Subject {
  const message = table.kind(apiVersion, kind);
  if (message === undefined) throw new Error(`no ${kind}`);
  return { apiVersion, kind, type, growing: growingMessage(message), shape: kindShape(message) };
}

function custom(): Subject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    type: CUSTOM_TYPE,
    growing: growingType(CUSTOM),
    shape: shapeOfType(CUSTOM),
  };
}

function deduced(): Subject {
  return { ...custom(), type: '', shape: deducedShape };
}

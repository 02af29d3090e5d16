import { describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import {
  ApplySyntaxError,
  ApplyTypeError,
  ConflictError,
  FieldManager,
  kindShape,
} from '../../../../lib/kubernetes/apply/index.ts';
import { loadFields } from '../../../../lib/kubernetes/fields/index.ts';

const table = await loadFields();

/** An object of one kind that tests write step by step. Each write happens one second after the one before. */
class Written {
  live: JsonObject | undefined;
  readonly #kind: readonly [apiVersion: string, kind: string];
  #second = 0;

  constructor(apiVersion = 'v1', kind = 'ConfigMap') {
    this.#kind = [apiVersion, kind];
  }

  apply(manager: string, content: JsonObject, { force = false, subresource = '' } = {}): void {
    const applied = this.#object(content);
    this.live = this.#manager(subresource).apply({ live: this.live, applied, manager, force });
  }

  update(manager: string, content: JsonObject, subresource = ''): void {
    const updated = this.#object(content);
    this.live = this.#manager(subresource).update({ live: this.live, updated, manager });
  }

  /** The object without apiVersion, kind and metadata. */
  get content(): JsonObject {
    const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...content } = this.live ?? {};
    return content;
  }

  /** The owned fields by manager, operation and subresource: `{ 'a Apply': {'f:data': …} }`. */
  get owners(): Record<string, unknown> {
    return Object.fromEntries(
      this.entries.map(({ manager, operation, subresource, fieldsV1 }) => {
        const names = [manager, operation, subresource].filter((name) => name !== undefined);
        return [names.join(' '), fieldsV1];
      }),
    );
  }

  get entries(): JsonObject[] {
    const { managedFields } = objectAt(this.live?.metadata);
    return Array.isArray(managedFields) ? managedFields.filter(isJsonObject) : [];
  }

  #object({ metadata, ...content }: JsonObject): JsonObject {
    const [apiVersion, kind] = this.#kind;
    return { apiVersion, kind, metadata: { name: 'x', ...objectAt(metadata) }, ...content };
  }

  #manager(subresource: string): FieldManager {
    const [apiVersion, kind] = this.#kind;
    const message = table.kind(apiVersion, kind);
    if (message === undefined) throw new Error(`no ${kind}`);
    this.#second += 1;
    return new FieldManager({
      apiVersion,
      kind,
      subresource,
      shapeOf: (version) => (version === apiVersion ? kindShape(message) : undefined),
      reset: [[subresource === 'status' ? 'spec' : 'status']],
      empty: { apiVersion, kind, metadata: {} },
      now: `2026-01-01T00:00:${String(this.#second).padStart(2, '0')}Z`,
      scaled: subresource === 'scale' ? ['spec', 'replicas'] : undefined,
    });
  }
}

function thrownBy(write: () => void): unknown {
  try {
    write();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('server-side apply', () => {
  it('an applier owns the fields that it applies; applying the same again changes nothing, not even the time', () => {
    const written = new Written();
    written.apply('a', { data: { k: 'v' } });
    const first = written.live;
    written.apply('a', { data: { k: 'v' } });
    expect(written.live).toEqual(first);
    expect(written.entries).toEqual([
      {
        manager: 'a',
        operation: 'Apply',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:01Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:k': {} } },
      },
    ]);
  });

  it('an apply conflicts where another manager owns a field with another value, with one cause per field', () => {
    const written = new Written();
    written.apply('a', { data: { k: 'v', l: 'v' } });
    const error = thrownBy(() => written.apply('b', { data: { k: 'w', l: 'w', m: 'w' } }));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({
      message: 'Apply failed with 2 conflicts: conflicts with "a":\n- .data.k\n- .data.l',
      causes: [
        { message: 'conflict with "a"', field: '.data.k' },
        { message: 'conflict with "a"', field: '.data.l' },
      ],
    });
    written.apply('b', { data: { k: 'w' } }, { force: true });
    expect(written.owners).toEqual({
      'a Apply': { 'f:data': { 'f:l': {} } },
      'b Apply': { 'f:data': { 'f:k': {} } },
    });
  });

  it('an apply removes the fields that its manager dropped, except those that another manager owns', () => {
    const written = new Written();
    written.apply('a', { data: { own: '1', shared: '2' } });
    written.apply('b', { data: { shared: '2' } });
    written.apply('a', {});
    expect(written.content).toEqual({ data: { shared: '2' } });
    expect(written.owners).toEqual({ 'b Apply': { 'f:data': { 'f:shared': {} } } });
  });

  it('an apply identifies list elements by their keys, and defaults a key that is missing', () => {
    const written = new Written('v1', 'Service');
    written.apply('a', { spec: { ports: [{ port: 80, name: 'web' }] } });
    written.apply('b', {
      spec: {
        ports: [
          { port: 80, protocol: 'UDP' },
          { port: 80, targetPort: 1 },
        ],
      },
    });
    expect(written.content).toEqual({
      spec: {
        ports: [
          { port: 80, protocol: 'UDP' },
          { port: 80, name: 'web', targetPort: 1 },
        ],
      },
    });
    expect(
      Object.keys(objectAt(objectAt(objectAt(written.owners['b Apply'] as JsonObject)['f:spec'])['f:ports'])),
    ).toEqual(['k:{"port":80,"protocol":"TCP"}', 'k:{"port":80,"protocol":"UDP"}']);
  });

  it('an apply treats unmanaged fields as owned by before-first-apply', () => {
    const written = new Written();
    written.live = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', uid: 'u' },
      data: { k: 'v' },
    };
    written.update('e', { data: { k: 'v', l: 'w' } });
    expect(written.entries).toEqual([]);
    expect(thrownBy(() => written.apply('a', { data: { k: 'w' } }))).toMatchObject({
      message: 'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.k',
    });
  });

  it('an apply refuses another kind, managedFields in the body, and fields that the schema does not have', () => {
    const written = new Written();
    const manager = { metadata: { managedFields: [] } };
    expect(thrownBy(() => written.apply('a', { kind: 'Secret' }))).toEqual(
      new ApplySyntaxError('invalid object type: /v1, Kind=Secret'),
    );
    expect(thrownBy(() => written.apply('a', manager))).toEqual(
      new ApplySyntaxError('metadata.managedFields must be nil'),
    );
    expect(thrownBy(() => written.apply('a', { data: { a: 1 } }))).toEqual(
      new ApplyTypeError(
        'failed to create typed patch object (/x; /v1, Kind=ConfigMap): .data.a: expected string, got &value.valueUnstructured{Value:1}',
      ),
    );
    expect(thrownBy(() => written.apply('a', { foo: 1 }))).toMatchObject({
      message:
        'failed to create typed patch object (/x; /v1, Kind=ConfigMap): .foo: field not declared in schema',
    });
  });

  it("a server-side apply by kubectl takes over the fields of kubectl's client-side apply", () => {
    const written = new Written();
    const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
    const applied = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x' },
      data: { a: '1', b: '2' },
    };
    const metadata = { annotations: { [annotation]: JSON.stringify(applied) } };
    written.update('kubectl-client-side-apply', { metadata, data: { a: '1', b: '2' } });
    expect(thrownBy(() => written.apply('other', { data: { a: '5' } }))).toBeInstanceOf(ConflictError);
    written.apply('kubectl', { data: { a: '5' } });
    expect(written.content).toEqual({ data: { a: '5', b: '2' } });
    expect(objectAt(written.live?.metadata).annotations).toEqual({
      [annotation]: '{"apiVersion":"v1","data":{"a":"5"},"kind":"ConfigMap","metadata":{"name":"x"}}\n',
    });
  });

  it('an apply of the status owns no spec, and an apply of the object owns no status', () => {
    const written = new Written('apps/v1', 'Deployment');
    const whole = { spec: { replicas: 1 }, status: { replicas: 1 } };
    written.apply('a', whole);
    written.apply('c', whole, { subresource: 'status' });
    expect(written.owners).toEqual({
      'a Apply': { 'f:spec': { 'f:replicas': {} } },
      'c Apply status': { 'f:status': { 'f:replicas': {} } },
    });
  });
});

describe('an update', () => {
  it('an update takes the fields that it changes from all other managers, and loses those that it removes', () => {
    const written = new Written();
    written.update('a', { data: { k: '1', l: '1' } });
    written.update('b', { data: { k: '2', m: '1' } });
    expect(written.owners).toEqual({
      'a Update': { 'f:data': {} },
      'b Update': { 'f:data': { 'f:k': {}, 'f:m': {} } },
    });
  });

  it('an update through /scale owns a replica count above zero; other managers keep their other fields', () => {
    const written = new Written('apps/v1', 'Deployment');
    const spec = { paused: true, replicas: 2 };
    written.update('a', { spec });
    written.update('b', { spec: { ...spec, replicas: 3 } }, 'scale');
    expect(written.owners).toEqual({
      'a Update': { 'f:spec': { '.': {}, 'f:paused': {} } },
      'b Update scale': { 'f:spec': { 'f:replicas': {} } },
    });
    written.update('b', { spec: { ...spec, replicas: 0 } }, 'scale');
    expect(written.owners).toEqual({ 'a Update': { 'f:spec': { '.': {}, 'f:paused': {} } } });
    written.update('b', { spec: { ...spec, replicas: 4 } }, 'scale');
    expect(written.owners).toEqual({ 'a Update': { 'f:spec': { '.': {}, 'f:paused': {} } } });
    expect(written.content).toEqual({ spec: { ...spec, replicas: 4 } });
  });

  it.each([{ managedFields: [] }, { managedFields: [{}] }])('%j in an update clears managers', (metadata) => {
    const written = new Written();
    written.update('a', { data: { k: '1' } });
    written.update('a', { metadata, data: { k: '2' } });
    expect(written.entries).toEqual([]);
  });

  it('an update with unreadable managedFields keeps the stored ones', () => {
    const written = new Written();
    written.update('a', { data: { k: '1' } });
    const managedFields = [{ manager: 'x', operation: 'Foo', apiVersion: 'v1' }];
    written.update('a', { metadata: { managedFields }, data: { k: '1' } });
    expect(Object.keys(written.owners)).toEqual(['a Update']);
  });

  it('an update with valid managedFields replaces the stored ones', () => {
    const written = new Written();
    written.update('a', { data: { k: '1' } });
    const managedFields = [
      {
        manager: 'x',
        operation: 'Apply',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:k': {} } },
      },
    ];
    written.update('a', { metadata: { managedFields }, data: { k: '1' } });
    expect(written.owners).toEqual({ 'x Apply': { 'f:data': { 'f:k': {} } } });
  });

  it('the stored entries name at most ten update managers; older ones become one entry, ancient-changes', () => {
    const written = new Written();
    const data: JsonObject = {};
    for (let n = 10; n < 23; n++) {
      data[`k${n}`] = 'v';
      written.update(`m${n}`, { data: { ...data } });
    }
    expect(Object.keys(written.owners)).toEqual([
      'ancient-changes Update',
      ...Array.from({ length: 9 }, (_, n) => `m${n + 14} Update`),
    ]);
    expect(written.owners['ancient-changes Update']).toEqual({
      'f:data': { '.': {}, 'f:k10': {}, 'f:k11': {}, 'f:k12': {}, 'f:k13': {} },
    });
  });

  it('an update drops the entries of an API version that is not served', () => {
    const written = new Written();
    written.update('a', { data: { k: '1' } });
    const entry = { operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': { 'f:k': {} } } };
    const managedFields = [
      { ...entry, manager: 'old', apiVersion: 'v0' },
      { ...entry, manager: 'new', apiVersion: 'v1' },
    ];
    written.update('a', { metadata: { managedFields }, data: { k: '1' } });
    expect(Object.keys(written.owners)).toEqual(['new Update']);
  });
});

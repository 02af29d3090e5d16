import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { Labels } from '../../../lib/selectors/index.ts';
import { KNOWN_SCHEMAS, LabelLimitError } from '../../../lib/store/index.ts';
import { type ObjectState, stateOf } from '../../../lib/store/object.ts';
import { planWrite, refuseFullOwner, transactionOf } from '../../../lib/store/write-plan.ts';
import { named } from '../../support/store/store-fixture.ts';

const NAME = named('a');

const labels = (count: number, value = 'x'): Labels =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`l${at}`, value]));

/** An object with so many labels and owners. */
function body(ofLabels: Labels, owners = 0, spec: JsonObject = {}): JsonObject {
  const ownerReferences = Array.from({ length: owners }, (_, at) => {
    return { apiVersion: 'v1', kind: 'Pod', name: `o${at}`, uid: `o${at}` };
  });
  return { metadata: { ...NAME, uid: 'u', labels: { ...ofLabels }, ownerReferences }, spec };
}

/** As it is stored, with a row for each of its owners. */
function stored(object: JsonObject, owners = 0): ObjectState {
  const trackedOwners = Array.from({ length: owners }, (_, at) => `o${at}`);
  return { ...stateOf(NAME, 7, object), trackedOwners };
}

const put = (object: JsonObject, before?: ObjectState) =>
  planWrite('test/things', NAME, {
    before,
    mutation: { kind: 'put', body: object },
    schema: KNOWN_SCHEMAS.newest,
  });
const deletion = (before: ObjectState) =>
  planWrite('test/things', NAME, {
    before,
    mutation: { kind: 'delete', body: before.body },
    schema: KNOWN_SCHEMAS.newest,
  });

describe('the labels and owners of one object', () => {
  it('are together limited to what its deletion can carry, whichever is added last', () => {
    // A look at the owners is part of their coming.
    expect(put(body(labels(50), 45)).owners.tracked).toHaveLength(45);
    expect(() => put(body(labels(50), 46))).toThrow(LabelLimitError);
    const owned = stored(body(labels(40), 50), 50);
    expect(put(body(labels(46, 'y'), 50), owned).indexed).toHaveLength(46);
    expect(() => put(body(labels(47, 'y'), 50), owned)).toThrow('one object can have 96 labels and owners');
    const labelled = stored(body(labels(60)));
    expect(() => put(body(labels(60), 37), labelled)).toThrow('one object can have 96 labels and owners');
  });

  it('above the limit, from before it existed, prevent no other change', () => {
    const full = stored(body(labels(60), 50), 50);
    expect(put(body(labels(60), 50, { size: 2 }), full).indexed).toEqual([]);
    expect(deletion(full).unindexed).toHaveLength(60);
  });

  it('are named in the error with the right field', () => {
    const refusal = (write: () => unknown) => {
      try {
        write();
      } catch (error) {
        return error instanceof LabelLimitError ? [error.field, error.detail.split(',')[0]] : error;
      }
      return undefined;
    };
    const both = 'one object can have 96 labels and owners';
    expect(refusal(() => put(body(labels(97))))).toEqual([
      'metadata.labels',
      'one write can index 96 labels',
    ]);
    expect(refusal(() => put(body(labels(50), 47)))).toEqual(['metadata.ownerReferences', both]);
    const owned = stored(body(labels(40), 50), 50);
    expect(refusal(() => put(body(labels(47), 50), owned))).toEqual(['metadata.labels', both]);
    expect(refusal(() => put(body(labels(97)), owned))).toEqual(['metadata.labels', both]);
  });
});

describe('an owner', () => {
  it('can be deleted with at most 95 labels, because the GC task for its dependents takes one item', () => {
    refuseFullOwner(deletion(stored(body(labels(95)))));
    expect(() => refuseFullOwner(deletion(stored(body(labels(96)))))).toThrow('with 95 labels at most');
    refuseFullOwner(deletion(stored(body(labels(50), 45), 45)));
    expect(() => refuseFullOwner(deletion(stored(body(labels(50), 46), 46)))).toThrow(LabelLimitError);
  });
});

describe('the expiry of an object', () => {
  it('is part of the plan of a write', () => {
    const mutation = { kind: 'put', body: body({}), expires: 5 } as const;
    expect(
      planWrite('test/things', NAME, { before: undefined, mutation, schema: KNOWN_SCHEMAS.newest }).written
        .expires,
    ).toBe(5);
    expect(put(body({})).written.expires).toBeUndefined();
  });
});

describe('an object that decides access', () => {
  const ROLES = 'rbac.authorization.k8s.io/roles';

  it('leaves room in its transactions for the access version row and for a GC task at its deletion', () => {
    const write = (count: number) =>
      planWrite(ROLES, NAME, {
        before: undefined,
        mutation: { kind: 'put', body: body(labels(count)) },
        schema: KNOWN_SCHEMAS.newest,
      });
    expect(() => write(95)).toThrow(LabelLimitError);
    expect(write(94).indexed).toHaveLength(94);
    const before = stored(body(labels(94)));
    const mutation = { kind: 'delete', body: before.body } as const;
    const going = planWrite(ROLES, NAME, { before, mutation, schema: KNOWN_SCHEMAS.newest });
    refuseFullOwner(going);
    const places = new Map(Object.keys(before.labels).map((key) => [key, 'overflow'] as const));
    const bodies = { object: {}, entry: {} };
    const items = transactionOf(ROLES, going, { rv: 9, bodies, places, time: 0, hasDependents: true });
    expect(items).toHaveLength(100);
  });
});

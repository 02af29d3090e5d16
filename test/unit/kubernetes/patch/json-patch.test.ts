import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import {
  applyJsonPatch,
  JsonPatchFailedError,
  PatchFailedError,
  PatchSyntaxError,
} from '../../../../lib/kubernetes/patch/index.ts';
import { caught, patched, WIDGET } from './patched.ts';

function apply(target: JsonObject, patch: unknown): JsonObject {
  return patched({ contentType: 'application/json-patch+json', patch, target, type: WIDGET });
}

const pod = () => ({
  metadata: { labels: { app: 'a', 'example.com/tier~x': 'b' } },
  list: [1, 2, 3],
  spec: { nodeName: 'n', absent: null },
});

describe('JSON patch', () => {
  it('a JSON patch adds, replaces, removes, moves, copies and tests', () => {
    const patch = [
      { op: 'test', path: '/metadata/labels', value: { 'example.com/tier~x': 'b', app: 'a' } },
      { op: 'add', path: '/metadata/labels/env', value: 'qa' },
      { op: 'replace', path: '/metadata/labels/example.com~1tier~0x', value: 'c' },
      { op: 'remove', path: '/metadata/labels/app' },
      { op: 'add', path: '/list/1', value: 9 },
      { op: 'add', path: '/list/-', value: { a: null } },
      { op: 'move', from: '/list/0', path: '/first' },
      { op: 'copy', from: '/metadata/labels', path: '/copied' },
      { op: 'test', path: '/spec/absent', value: null },
    ];
    expect(apply(pod(), patch)).toEqual({
      metadata: { labels: { env: 'qa', 'example.com/tier~x': 'c' } },
      list: [9, 2, 3, { a: null }],
      first: 1,
      copied: { env: 'qa', 'example.com/tier~x': 'c' },
      spec: { nodeName: 'n', absent: null },
    });
  });

  it.each([
    ['a test of another value', { op: 'test', path: '/spec/nodeName', value: 'other' }],
    ['a test of a missing path', { op: 'test', path: '/spec/none', value: 'x' }],
    ['a test of what can have no members', { op: 'test', path: '/none/x', value: null }],
    ['a test without a value', { op: 'test', path: '/spec/nodeName' }],
    ['replacing what is not there in a list', { op: 'replace', path: '/list/7', value: 1 }],
    ['removing a member that is not there', { op: 'remove', path: '/spec/none' }],
    ['moving a member that is not there', { op: 'move', from: '/spec/none', path: '/x' }],
    ['removing what is not there', { op: 'remove', path: '/list/3' }],
    ['adding below what is not there', { op: 'add', path: '/none/x', value: 1 }],
    ['adding below a string', { op: 'add', path: '/spec/nodeName/x', value: 1 }],
    ['adding beyond the end of a list', { op: 'add', path: '/list/4', value: 1 }],
    ['an index with a leading zero', { op: 'replace', path: '/list/01', value: 1 }],
    ['removing - of a list', { op: 'remove', path: '/list/-' }],
    ['moving a value into itself', { op: 'move', from: '/spec', path: '/spec/inner' }],
    ['moving from nowhere', { op: 'move', path: '/x' }],
    ['adding the whole object', { op: 'add', path: '', value: {} }],
    ['an unknown operation', { op: 'merge', path: '/x' }],
    ['an operation without a path', { op: 'remove' }],
    ['a pointer that begins with no slash', { op: 'remove', path: 'spec' }],
    ['copying from no pointer', { op: 'copy', from: 'spec', path: '/x' }],
    ['copying from below what is not there', { op: 'copy', from: '/none/x', path: '/y' }],
  ])('a JSON patch fails as a whole on %s', (_, operation) => {
    const error = caught(() => apply(pod(), [{ op: 'add', path: '/done', value: 1 }, operation]));
    expect(error).toBeInstanceOf(PatchFailedError);
    expect(error).toHaveProperty('message', 'the server rejected our request due to an error in our request');
    expect(error).toHaveProperty('detail', expect.stringContaining('operation 1: '));
  });

  it.each([
    [{ op: 'test', path: '/spec/nodeName', value: 'other' }, false, true],
    [{ op: 'test', path: '/spec/none', value: 'x' }, false, true],
    [{ op: 'test', path: '/none/x', value: 'x' }, false, false],
    [{ op: 'test', path: '/spec/none', value: null }, true, true],
    [{ op: 'remove', path: '/spec/none' }, false, false],
  ])(
    'a JSON patch tells a failed test from other faults, and ends with the first: %j',
    (operation, nullIsValue, isTest) => {
      const later = { op: 'merge', path: '/x' };
      const error = caught(() => applyJsonPatch(pod(), [operation, later], nullIsValue));
      expect(error).toBeInstanceOf(JsonPatchFailedError);
      expect(error).toMatchObject({ isTest, detail: expect.stringContaining('operation 0: ') });
    },
  );

  it.each([
    ['an object', {}],
    ['null', null],
    ['a list of something else', ['x']],
    ['an operation whose path is no string', [{ op: 'remove', path: 1 }]],
  ])('a JSON patch is malformed if it is %s', (_, patch) => {
    expect(caught(() => apply(pod(), patch))).toBeInstanceOf(PatchSyntaxError);
  });

  // The behaviour of gopkg.in/evanphx/json-patch.v4, which kube-apiserver 1.33.2 uses.
  it('a JSON patch is lenient where Kubernetes is', () => {
    const patch = [
      { op: 'test', path: '/spec/none', value: null },
      { op: 'test', path: '/spec/absent' },
      { op: 'replace', path: '/spec/none', value: 1 },
      { op: 'add', path: '/x' },
      { op: 'copy', from: '/spec/nowhere', path: '/copied' },
    ];
    const { spec, x, copied } = apply(pod(), patch);
    expect({ spec, x, copied }).toEqual({
      spec: { nodeName: 'n', absent: null, none: 1 },
      x: null,
      copied: null,
    });
    expect(apply(pod(), [{ op: 'replace', path: '', value: { a: 1 } }])).toEqual({ a: 1 });
  });

  it('a JSON patch treats keys like __proto__ as plain keys', () => {
    const target = JSON.parse('{"labels":{"__proto__":"p"}}');
    const patch = [
      { op: 'test', path: '/labels/__proto__', value: 'p' },
      { op: 'replace', path: '/labels/__proto__', value: 'q' },
      { op: 'add', path: '/labels/constructor', value: 'c' },
      { op: 'test', path: '/labels/constructor', value: 'c' },
      { op: 'add', path: '/labels/toString', value: JSON.parse('{"__proto__":1}') },
      { op: 'copy', from: '/labels/constructor', path: '/prototype' },
    ];
    const result = apply(target, patch);
    expect(JSON.stringify(result)).toBe(
      '{"labels":{"__proto__":"q","constructor":"c","toString":{"__proto__":1}},"prototype":"c"}',
    );
  });

  it.each([
    '/__proto__/polluted',
    '/constructor/prototype/polluted',
    '/toString/polluted',
    '/list/push/polluted',
    '/list/length',
    '/spec/nodeName/concat/polluted',
  ])('a JSON patch cannot leave the object through %s', (path) => {
    expect(caught(() => apply(pod(), [{ op: 'add', path, value: 1 }]))).toBeInstanceOf(PatchFailedError);
    expect('polluted' in {} || 'polluted' in (() => {}) || 'polluted' in []).toBe(false);
  });

  it('a JSON patch may copy only a limited amount', () => {
    const doubling = Array.from({ length: 60 }, () => ({ op: 'copy', from: '/list', path: '/list/-' }));
    expect(caught(() => apply(pod(), doubling))).toHaveProperty(
      'detail',
      expect.stringContaining('copies more'),
    );
  });

  it('a JSON patch may nest objects only to a limited depth', () => {
    const nesting = Array.from({ length: 12 }, () => ({ op: 'copy', from: '', path: '/spec' }));
    const deepening = Array.from({ length: 400 }, (_, level) => ({
      op: 'add',
      path: `/spec${'/a'.repeat(level + 1)}`,
      value: {},
    }));
    const error = caught(() =>
      apply(pod(), [...deepening, { op: 'copy', from: '/spec', path: `/spec${'/a'.repeat(400)}/b` }]),
    );
    expect(error).toHaveProperty('detail', 'the patched object nests too deep');
    expect(apply(pod(), nesting)).toHaveProperty('spec');
  });

  it('a JSON patch refuses a path of more than 20,000 characters before it walks it', () => {
    const path = (length: number) => '/'.padEnd(length, 'a');
    const copy = { op: 'copy', from: path(20_001), path: '/a' };
    expect(apply(pod(), [{ op: 'add', path: path(20_000), value: 1 }])).toHaveProperty(
      [path(20_000).slice(1)],
      1,
    );
    for (const operation of [{ op: 'add', path: path(20_001), value: 1 }, copy]) {
      expect(caught(() => apply(pod(), [operation]))).toMatchObject({
        detail: `operation 0: ${operation.op}: a path has at most 20000 characters`,
      });
    }
  });

  it('a JSON patch may shift only a limited number of list elements', () => {
    const list = Array.from({ length: 50_000 }, () => 0);
    const additions = (count: number, path: string) =>
      Array.from({ length: count }, () => ({ op: 'add', path, value: 1 }));
    expect(apply({ list }, additions(390, '/list/0')).list).toHaveLength(50_390);
    expect(apply({ list }, additions(500, '/list/-')).list).toHaveLength(50_500);
    expect(caught(() => apply({ list }, additions(400, '/list/0')))).toMatchObject({
      detail: expect.stringContaining('the patch shifts more than 20000000 elements of lists'),
    });
    const moves = Array.from({ length: 250 }, () => ({ op: 'move', from: '/list/0', path: '/list/1' }));
    expect(caught(() => apply({ list }, moves))).toHaveProperty('detail', expect.stringContaining('shifts'));
  });

  it('a JSON patch has at most 10,000 operations', () => {
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/list/0', value: 1 }));
    expect(caught(() => apply(pod(), many))).toBeInstanceOf(PatchFailedError);
    expect(apply(pod(), many.slice(1))).toEqual(pod());
  });
});

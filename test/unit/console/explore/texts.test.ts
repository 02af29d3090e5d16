import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { KindInfo } from '../../../../console/api/shapes.ts';
import { labelDifference } from '../../../../console/explore/label-difference.ts';
import { differences, minutesOf } from '../../../../console/explore/past-set.ts';
import { csvOf, jsonOf } from '../../../../console/explore/texts-of-rows.ts';
import {
  accessGrantOf,
  curlOf,
  kubectlOf,
  subscriptionOf,
  typescriptOf,
} from '../../../../console/explore/texts-of-set.ts';
import { row } from './rows.ts';

const pods: KindInfo = {
  id: 'pods',
  group: '',
  version: 'v1',
  apiVersion: 'v1',
  plural: 'pods',
  kind: 'Pod',
  singular: 'pod',
  shortNames: ['po'],
  namespaced: true,
  verbs: ['list'],
};
const set = {
  kind: pods,
  namespace: 'shop',
  selector: 'environment in (production,qa),tier!=web',
  fields: '',
};

describe('The texts of a set', () => {
  it('kubectl gets the selector as one word of the shell', () => {
    expect(kubectlOf(set)).toBe(
      "kubectl get pods -n shop -l 'environment in (production,qa),tier!=web' --watch",
    );
    expect(kubectlOf({ ...set, namespace: '', selector: '', fields: 'status.phase=Running' })).toBe(
      "kubectl get pods -A --field-selector 'status.phase=Running' --watch",
    );
  });

  it('curl gets the URL of the API', () => {
    expect(curlOf({ ...set, selector: 'a=b' }, 'http://127.0.0.1:8080')).toBe(
      "curl 'http://127.0.0.1:8080/api/v1/namespaces/shop/pods?labelSelector=a%3Db'",
    );
  });

  it('The program in TypeScript names the kind, the namespace and the conditions', () => {
    const text = typescriptOf({ ...set, fields: 'status.phase=Running' }, 'http://127.0.0.1:8080');
    expect(text).toContain("resource('v1', 'pods'), { namespace: 'shop' }");
    expect(text).toContain(
      "live('environment in (production,qa),tier!=web', { fields: { 'status.phase': 'Running' } })",
    );
  });

  it('The Subscription and the AccessGrant are YAML with the same selector', () => {
    expect(parse(subscriptionOf(set))).toMatchObject({
      kind: 'Subscription',
      metadata: { namespace: 'shop' },
      spec: { resource: { group: '', resource: 'pods' }, labelSelector: set.selector },
    });
    expect(parse(accessGrantOf(set) ?? '')).toMatchObject({
      kind: 'AccessGrant',
      labelSelector: {
        matchExpressions: [
          { key: 'environment', operator: 'In', values: ['production', 'qa'] },
          { key: 'tier', operator: 'NotIn', values: ['web'] },
        ],
      },
    });
  });

  it('No AccessGrant can select every object, or by numbers', () => {
    expect(accessGrantOf({ ...set, selector: '' })).toBeUndefined();
    expect(accessGrantOf({ ...set, selector: 'cpus>4,tier=a' })).toBeUndefined();
  });

  it('No text names another set: grants know no fields, and the client no other condition on fields than equality', () => {
    expect(accessGrantOf({ ...set, fields: 'status.phase=Running' })).toBeUndefined();
    expect(accessGrantOf({ ...set, selector: 'wrong(' })).toBeUndefined();
    expect(typescriptOf({ ...set, fields: 'status.phase!=Running' }, 'http://127.0.0.1')).toBeUndefined();
    expect(parse(subscriptionOf({ ...set, namespace: '' }))).toMatchObject({ spec: { namespaces: 'All' } });
  });
});

describe('The texts of rows', () => {
  const columns = [{ name: 'Name' }, { name: 'Status' }].map((one) => ({
    ...one,
    type: 'string',
    format: '',
    description: '',
    priority: 0,
  }));

  it('CSV quotes what separates, and disarms what a spreadsheet would run', () => {
    const text = csvOf(columns, [
      row('a', { tier: 'x' }, ['a', 'Running, "well"']),
      row('b', {}, ['b', '=1+1']),
    ]);
    expect(text.split('\r\n')).toEqual([
      'Namespace,Name,Created,Status,label tier',
      'default,a,2026-01-01T00:00:00Z,"Running, ""well""",x',
      "default,b,2026-01-01T00:00:00Z,'=1+1,",
      '',
    ]);
  });

  it('JSON is a List of metadata with the kind of the objects', () => {
    expect(JSON.parse(jsonOf(pods, '7', [row('a')]))).toMatchObject({
      kind: 'List',
      metadata: { resourceVersion: '7' },
      items: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }],
    });
  });
});

it('The difference of labels is told in words', () => {
  expect(
    labelDifference({ env: 'qa', 'x/tier': 'a', same: '1' }, { env: 'dev', track: 'b', same: '1' }),
  ).toEqual({
    words: 'env: qa → dev, −tier, +track=b',
    keys: ['env', 'x/tier', 'track'],
  });
});

describe('The past beside the present', () => {
  it('Rows that left, entered and changed are marked', () => {
    const found = differences(
      [row('a'), row('b', { tier: 'x' }), row('c')],
      [row('b', { tier: 'y' }), row('c'), row('d')],
      true,
    );
    expect(found).toMatchObject({ left: 1, entered: 1, changed: 1 });
    expect(found.rows.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c', 'd']);
    expect([...found.marks].map(([key, { kind }]) => [key, kind])).toEqual([
      ['default/a', 'leave'],
      ['default/b', 'change'],
      ['default/d', 'enter'],
    ]);
  });

  it('Of incomplete sets only objects in both are compared', () => {
    expect(differences([row('a')], [row('b')], false)).toMatchObject({ left: 0, entered: 0 });
  });

  it.each([
    ['90m', 90],
    ['2h', 120],
    ['1d', 1_440],
    ['30s', 1],
    ['2026-01-01T00:00:00Z', undefined],
  ])('%s is a number of minutes', (text, minutes) => {
    expect(minutesOf(text)).toBe(minutes);
  });
});

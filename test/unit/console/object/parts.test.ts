import { describe, expect, it } from '@jest/globals';
import { type Change, changedFields, endOf } from '../../../../console/object/change.ts';
import { commandsFor } from '../../../../console/object/commands.ts';
import { readEvents } from '../../../../console/object/events.ts';
import { conditionsOf, dataOf, linkOf, statusFields } from '../../../../console/object/status.ts';
import { SERVICE } from './fixture.ts';

describe('A change of a history', () => {
  const change = (patch: Change['patch']): Change => ({
    resourceVersion: '2',
    time: '',
    type: 'Updated',
    patch,
  });

  it('Changed fields have the names that kubectl uses, and labels that came at once are told one by one', () => {
    const patch = [
      { op: 'add', path: '/metadata/labels', value: { app: 'web', tier: 'x' } },
      { op: 'replace', path: '/spec/replicas', value: 3 },
      { op: 'remove', path: '/metadata/annotations/a~1b' },
      { op: 'replace', path: '/metadata/generation', value: 2 },
    ];
    expect(changedFields(change(patch))).toEqual([
      { how: 'added', field: 'labels.app', value: 'web' },
      { how: 'added', field: 'labels.tier', value: 'x' },
      { how: 'changed', field: 'spec.replicas', value: '3' },
      { how: 'removed', field: 'annotations.a/b', value: '' },
    ]);
  });

  it('An empty value is told, also in a label that came with others', () => {
    const patch = [
      { op: 'replace', path: '/metadata/labels/team', value: '' },
      { op: 'add', path: '/metadata/labels', value: { tier: '' } },
    ];
    expect(changedFields(change(patch)).map(({ value }) => value)).toEqual(['(empty)', '(empty)']);
  });

  it('A long value is shortened, and a create names no fields', () => {
    expect(changedFields(change([{ op: 'add', path: '/data', value: 'x'.repeat(99) }]))[0]?.value).toBe(
      `${'x'.repeat(48)}…`,
    );
    expect(changedFields(change([{ op: 'add', path: '', value: {} }]))).toEqual([]);
  });

  it('The end of a history has a sentence, unless it is the creation of the object', () => {
    expect([endOf('Expired'), endOf('Created'), endOf(undefined)]).toEqual([
      'Older changes have expired.',
      '',
      '',
    ]);
  });
});

describe('Events of an object', () => {
  it('The newest Event comes first, in the times of old and new Events, without those of a former object', () => {
    const events = readEvents(
      [
        {
          metadata: { uid: 'a' },
          reason: 'Old',
          lastTimestamp: '2026-01-01T00:00:00Z',
          count: 4,
          source: { component: 'kubelet' },
        },
        {
          metadata: { uid: 'b' },
          reason: 'New',
          eventTime: '2026-01-02T00:00:00.5Z',
          lastTimestamp: null,
          reportingComponent: 'x',
        },
        { metadata: { uid: 'c' }, reason: 'Former', involvedObject: { uid: 'u-0' } },
      ],
      'u-1',
    );
    expect(events.map(({ reason, times, from }) => [reason, times, from])).toEqual([
      ['New', 1, 'x'],
      ['Old', 4, 'kubelet'],
    ]);
  });
});

describe('Parts of the overview', () => {
  it('Conditions and plain fields of the status are read, and other parts of it are left out', () => {
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z' }];
    const object = { ...SERVICE, status: { phase: 'Running', count: 0, empty: '', list: [], conditions } };
    expect(statusFields(object)).toEqual([
      ['phase', 'Running'],
      ['count', '0'],
    ]);
    expect(conditionsOf(object)).toEqual([
      { type: 'Ready', status: 'False', reason: '', message: '', since: '2026-01-01T00:00:00Z' },
    ]);
    expect(conditionsOf(SERVICE)).toEqual([]);
  });

  it('The data of a ConfigMap are its texts, and of bytes there is the number, as of all data of a Secret', () => {
    const map = { ...SERVICE, kind: 'ConfigMap', data: { mode: 'fast' }, binaryData: { blob: 'AAECAwQ=' } };
    expect(dataOf(map)).toEqual({ mode: 'fast', blob: '5 bytes' });
    const secret = { ...SERVICE, kind: 'Secret', data: { token: 'aHVzaA==', none: '' } };
    expect(dataOf(secret)).toEqual({ token: '4 bytes', none: '0 bytes' });
    expect(dataOf(SERVICE)).toEqual({});
  });

  it('Only https addresses are links', () => {
    expect(linkOf('https://example.com/a')).toBe('https://example.com/a');
    for (const text of ['http://example.com', 'javascript:alert(1)', 'see https://example.com', 'https://']) {
      expect(linkOf(text)).toBeUndefined();
    }
  });

  it('A name is one word of the shell', () => {
    const [get] = commandsFor({ kind: { id: 'nodes' }, namespace: '', name: "a;b'c" });
    expect(get?.command).toBe("kubectl get 'nodes/a;b'\\''c' -o yaml");
  });

  it('Commands name the namespace only of objects that have one', () => {
    const [get] = commandsFor({ kind: { id: 'deployments.apps' }, namespace: 'shop', name: 'web' });
    expect(get?.command).toBe('kubectl get deployments.apps/web -n shop -o yaml');
    const [node] = commandsFor({ kind: { id: 'nodes' }, namespace: '', name: 'n1' });
    expect(node?.command).toBe('kubectl get nodes/n1 -o yaml');
  });
});

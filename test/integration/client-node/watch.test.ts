import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Watch } from '@kubernetes/client-node';
import { eventually } from '../../support/eventually.ts';
import { type Connection, connect } from './connect.ts';
import { Pods } from './pods.ts';

interface WatchedObject {
  readonly kind: string;
  readonly code?: number;
  readonly metadata: { readonly name?: string; readonly resourceVersion: string; readonly labels?: object };
}

let connection: Connection;
let pods: Pods;

beforeAll(async () => {
  connection = await connect();
  pods = new Pods(connection.config);
});

afterAll(() => connection.stop());

/** Opens a watch and records its events. `ended` is the error at its end, or null after a clean end. */
async function open(query: Record<string, string>) {
  const told: { type: string; object: WatchedObject }[] = [];
  const ended = Promise.withResolvers<unknown>();
  const take = (type: string, object: WatchedObject) => told.push({ type, object });
  const request = await new Watch(connection.config).watch(Pods.path, query, take, ended.resolve);
  const until = async (count: number) => {
    await eventually(`${count} events`, () => told.length >= count);
    return told.map(({ type, object }) => `${type} ${object.metadata.name}`);
  };
  return { told, until, ended: ended.promise, close: () => request.abort() };
}

describe('the Watch of client-node', () => {
  it('a watch sends what enters, changes in and leaves the selected set', async () => {
    await pods.create('there', { tier: 'web' });
    const watch = await open({ labelSelector: 'tier=web' });
    expect(await watch.until(1)).toEqual(['ADDED there']);
    await pods.create('new', { tier: 'web' });
    await pods.create('other', { tier: 'cache' });
    await pods.label('new', { color: 'red' });
    const { metadata: left } = await pods.label('there', { tier: 'cache' });
    await pods.delete('new');
    expect((await watch.until(5)).slice(1)).toEqual([
      'ADDED new',
      'MODIFIED new',
      'DELETED there',
      'DELETED new',
    ]);
    const { metadata } = watch.told[3]?.object ?? {};
    expect(metadata).toMatchObject({ labels: { tier: 'web' }, resourceVersion: left?.resourceVersion });
    watch.close();
  });

  it('a watch continues from a resourceVersion without a gap', async () => {
    const { metadata } = await pods.list();
    await pods.create('between', { tier: 'web' });
    await pods.delete('between');
    const watch = await open({ resourceVersion: metadata?.resourceVersion ?? '' });
    expect(await watch.until(2)).toEqual(['ADDED between', 'DELETED between']);
    watch.close();
  });

  it('a watch ends cleanly at its timeout, with a bookmark if requested', async () => {
    const watch = await open({ timeoutSeconds: '1', allowWatchBookmarks: 'true', labelSelector: 'nobody' });
    expect(await watch.ended).toBeNull();
    expect(watch.told.map(({ type, object }) => `${type} ${object.kind}`)).toEqual(['BOOKMARK Pod']);
    const { metadata } = await pods.list();
    expect(watch.told[0]?.object.metadata.resourceVersion).toBe(metadata?.resourceVersion);
  });

  it('a watch from a future resourceVersion waits and sends nothing', async () => {
    const watch = await open({ resourceVersion: '999999', timeoutSeconds: '1' });
    await pods.create('before-it', { tier: 'web' });
    expect(await watch.ended).toBeNull();
    expect(watch.told).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { sendDifference } from '../../../../lib/delivery/reconcile/send-difference.ts';
import { chosen } from '../../../../lib/delivery/subscription/index.ts';
import { createProgressing } from '../../../support/watch/progressing.ts';

describe('the difference between two selections', () => {
  it('the difference from nothing is every selected object', async () => {
    const { done, options, progress, set, write } = createProgressing();
    const position = await write('a app=x', 'b app=y', 'c app=x');
    set('app=x', undefined, { position });
    expect(await sendDifference(progress, options)).toEqual({});
    expect(done()).toEqual(['stores the queue', 'ADDED a@2', 'ADDED c@4']);
  });

  it('the difference is empty if nothing is selected, and the queue is not stored for it', async () => {
    const { done, options, progress, set } = createProgressing();
    set('app=x', 'app=y', { position: 1 });
    expect(await sendDifference(progress, options)).toEqual({});
    expect(done()).toEqual([]);
  });

  it('the difference holds leaving objects, at the position, and entering ones, read concurrently', async () => {
    const { done, gauge, options, progress, set, write } = createProgressing();
    const position = await write('a app=x', 'b app=y', 'c app=z', 'd app=none');
    set('app in (y,z)', 'app in (x,z)', { position });
    await sendDifference(progress, options);
    expect(done()).toEqual(['stores the queue', 'DELETED a@5', 'ADDED b@3']);
    expect(gauge.most).toBe(2);
  });

  it('the difference includes objects whose payload changes', async () => {
    const { done, options, progress, set, write } = createProgressing();
    const position = await write('a app=x', 'b app=y');
    set('app', 'app=x', { position, payload: 'Metadata' });
    await sendDifference(progress, options);
    expect(done()).toEqual(['stores the queue', 'MODIFIED a@2', 'ADDED b@3']);
  });

  it('the difference holds the objects that leave and enter a changed scope', async () => {
    const { done, options, progress, set, write } = createProgressing();
    const position = await write('a app=x', 'b app=y', 'c app=z', 'd app=v');
    const scope = JSON.stringify(['app=y', 'app=z']);
    const scopedTo = (...before: readonly string[]) =>
      chosen({ ...progress.state, scope: JSON.stringify(before) });
    set('app', undefined, { position });
    set('app', undefined, { position, scope, from: scopedTo('app=x', 'app=y') });
    await sendDifference(progress, options);
    expect(done()).toEqual(['stores the queue', 'DELETED a@5', 'ADDED c@4']);
    set('app', 'app', { position, scope });
    await sendDifference(progress, options);
    expect(done()).toEqual(['stores the queue', 'DELETED a@5', 'DELETED d@5']);
    set('app', undefined, { position, scope: '[]', from: scopedTo('app=x', 'app=y') });
    await sendDifference(progress, options);
    expect(done()).toEqual(['stores the queue', 'DELETED a@5', 'DELETED b@5']);
  });

  it('the difference shows the state at the position', async () => {
    const { done, options, progress, set, write } = createProgressing();
    const position = await write('a app=x');
    await write('b app=x', 'a app=y');
    set('app=x', undefined, { position });
    await sendDifference(progress, options);
    expect(done()).toEqual(['stores the queue', 'ADDED a@2']);
  });

  it('sendDifference lists only namespaces that are not in both selections, after the boundary', async () => {
    const { done, options, progress, set, write } = createProgressing();
    const asked: (string | undefined)[] = [];
    const { list } = options.store;
    const store = {
      ...options.store,
      list: (...request: Parameters<typeof list>) => {
        asked.push(request[1].namespace);
        return list(...request);
      },
    };
    const position = await write('a app=x');
    const now = { position, namespaces: '["b","d","default"]' };
    set('app=x', undefined, { position });
    const from = chosen({ ...progress.state, namespaces: '["a","b","c"]' });
    set('app=x', undefined, { ...now, from });
    expect(await sendDifference(progress, { ...options, store })).toEqual({});
    expect(asked.splice(0).sort()).toEqual(['a', 'c', 'd', 'default']);
    expect(done()).toEqual(['stores the queue', 'ADDED a@2']);
    set('app=x', undefined, { ...now, from, boundary: 'c/~' });
    await sendDifference(progress, { ...options, store });
    expect(asked).toEqual(['d', 'default']);
  });

  it('sendDifference stops at the end of the shorter page and continues after it', async () => {
    const { done, options, progress, set, write } = createProgressing();
    const position = await write('a app=x', 'b app=y', 'c app=x', 'd app=y', 'e app=x', 'f app=y', 'g app=y');
    const page = { ...options, page: 2 };
    set('app=y', 'app=x', { position });
    expect(await sendDifference(progress, page)).toEqual({ boundary: 'default/c' });
    expect(done()).toEqual(['stores the queue', 'DELETED a@8', 'ADDED b@3', 'DELETED c@8']);
    set('app=y', 'app=x', { position, boundary: 'default/c' });
    expect(await sendDifference(progress, page)).toEqual({ boundary: 'default/f' });
    expect(done()).toEqual(['stores the queue', 'ADDED d@5', 'DELETED e@8', 'ADDED f@7']);
    set('app=y', 'app=x', { position, boundary: 'default/f' });
    expect(await sendDifference(progress, page)).toEqual({});
    expect(done()).toEqual(['stores the queue', 'ADDED g@8']);
  });
});

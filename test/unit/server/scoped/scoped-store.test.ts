import { expect, it } from '@jest/globals';
import { collectionOf } from '../../../../lib/json/index.ts';
import { Scope } from '../../../../lib/kubernetes/rbac/index.ts';
import { parseSelector } from '../../../../lib/selectors/index.ts';
import { VisibleScopes } from '../../../../lib/server/access/visible-scopes.ts';
import { RowFilter } from '../../../../lib/server/scoped/row-filter.ts';
import { scopedStore } from '../../../../lib/server/scoped/scoped-store.ts';
import type { ObjectState, Store } from '../../../../lib/store/index.ts';

const PODS = collectionOf('', 'pods');

const stateOf = (name: string, team: string): ObjectState => ({
  name: { namespace: 'default', name },
  uid: name,
  rv: 1,
  labels: { team },
  body: {},
});
const [ours, theirs] = [stateOf('ours', 'a'), stateOf('theirs', 'b')];

it('A read ahead is limited to the scope of the caller, like every read', async () => {
  const store = {
    prefetch: async () => ({
      objects: [ours, theirs].map((state) => ({ at: 1, state })),
      snapshots: new Map([[PODS, [ours, theirs]]]),
    }),
    within: () => store,
  } as unknown as Store;
  const scoped = scopedStore(store, {
    sight: new VisibleScopes(Scope.of([parseSelector('team=a')])),
    visibility: new RowFilter({ customTypes: async () => [] }),
    guard: undefined as never,
    type: undefined as never,
  });
  const wanted = [ours, theirs].map(({ name }) => ({ collection: PODS, name }));
  expect(await scoped.prefetch({ objects: wanted, collections: [PODS] })).toEqual({
    objects: [
      { at: 1, state: ours },
      { at: 1, state: undefined },
    ],
    snapshots: new Map([[PODS, [ours]]]),
  });
});

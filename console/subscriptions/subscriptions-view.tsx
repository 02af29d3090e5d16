import { useState } from 'preact/hooks';
import { findKind, kinds, kindsError } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';
import { SetBar, useFollowed } from '../set-objects/index.ts';
import { whyNoWrites } from '../what-if/index.ts';
import { Empty, ErrorPanel, Waiting } from '../widgets/index.ts';
import { DetailPane } from './detail-pane.tsx';
import { NewSubscription } from './new-subscription.tsx';
import type { SubscriptionBody } from './subscription.ts';
import { keyOf, SubscriptionTable } from './subscription-table.tsx';

const KIND = 'subscriptions.winnow.dev';

/** All Subscriptions, and how far the chosen one is. The field selector of the route names the chosen one. */
export function SubscriptionsView() {
  const { fields } = route.value;
  const { objects, number, isComplete, state, error } = useFollowed<SubscriptionBody>(KIND);
  const [isNew, setNew] = useState(false);
  const kind = findKind(KIND);
  if (kindsError.value !== undefined) return <ErrorPanel error={kindsError.value} />;
  if (kinds.value.length === 0) return <Waiting />;
  if (kind === undefined) return <Empty title="This server serves no Subscriptions." />;
  const chosen = objects.find((one) => fieldsOf(keyOf(one)) === fields) ?? objects[0];
  const choose = (key: string) => navigate({ fields: fieldsOf(key) }, { replace: true });
  const why = whyNoWrites();
  const add = (
    <button type="button" class="primary" disabled={why !== ''} title={why} onClick={() => setNew(true)}>
      New Subscription
    </button>
  );
  return (
    <div class="side-view">
      <SetBar title="Subscriptions" note={number} state={state}>
        {add}
      </SetBar>
      {error !== undefined && <ErrorPanel error={error} />}
      {!isComplete && objects.length === 0 ? (
        error === undefined && <Waiting what="Loading Subscriptions" />
      ) : chosen === undefined ? (
        <Empty title="No Subscription here yet.">
          <p>
            A Subscription is a label selector with a queue. The queue gets a message whenever an object
            enters the set, changes in it, or leaves it.
          </p>
          {add}
        </Empty>
      ) : (
        <div class="master-detail">
          <SubscriptionTable objects={objects} chosen={keyOf(chosen)} choose={choose} />
          <DetailPane key={chosen.metadata.uid} kind={kind} listed={chosen} />
        </div>
      )}
      {isNew && (
        <NewSubscription
          kind={kind}
          close={() => setNew(false)}
          created={({ namespace, name }) => choose(`${namespace}/${name}`)}
        />
      )}
    </div>
  );
}

/** The field selector of a Subscription with a key such as `default/frontends`. */
function fieldsOf(key: string): string {
  const [namespace = '', name = ''] = key.split('/');
  return `metadata.name=${name},metadata.namespace=${namespace}`;
}

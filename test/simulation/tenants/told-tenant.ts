import { collectionOf, type JsonObject, objectAt } from '../../../lib/json/index.ts';
import { SUBSCRIPTIONS } from '../../../lib/kubernetes/lifecycle/index.ts';
import { decodeBody } from '../../../lib/store/body/body-codec.ts';
import { Consumer } from '../actors/consumer.ts';
import type { Asked } from '../api/index.ts';
import { isOfAll, NAMESPACE, nameOf } from './grants.ts';
import type { TenantOptions } from './tenant.ts';
import type { TenantRecord } from './tenant-record.ts';

const RETRY = 1_000;
const WINNOW = `/apis/winnow.dev/v1/namespaces/${NAMESPACE}`;
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
/** The tenant's own selectors, within what its grants select. */
const OWN = ['', 'tier=a', 'app'];
const PODS = `object#${collectionOf('', 'pods')}`;

/** The requests that let all users create Subscriptions and Tallies. The users' grants limit the objects. */
export const TELLERS: readonly Asked[] = [
  {
    method: 'POST',
    url: `${RBAC}/clusterroles`,
    body: {
      metadata: { name: 'teller' },
      rules: [
        {
          apiGroups: ['winnow.dev'],
          resources: ['subscriptions', 'tallies'],
          verbs: ['get', 'create', 'update', 'patch'],
        },
      ],
    },
  },
  {
    method: 'POST',
    url: `${RBAC}/namespaces/${NAMESPACE}/rolebindings`,
    body: {
      metadata: { name: 'tellers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'teller' },
      subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:authenticated' }],
    },
  },
];

/** A tenant whose Subscription and Tally cover what its grants select. */
export class ToldTenant {
  readonly #options: TenantOptions;
  readonly #who: string;
  readonly #consumer: Consumer;
  #own = '';

  constructor(options: TenantOptions) {
    const { cluster, at } = options;
    this.#options = options;
    this.#who = nameOf(at);
    this.#consumer = new Consumer(cluster);
    cluster.world.table.watch(({ after }) => {
      if (after?.pk !== `object#${SUBSCRIPTIONS}` || after.sk !== `${NAMESPACE}/${this.#who}`) return;
      this.#consumer.follow(String(objectAt(decodeBody(after.body).status).queueUrl ?? ''));
    });
  }

  async run(): Promise<void> {
    const { scenario, cluster } = this.#options;
    const { chance, scheduler } = cluster.world;
    const { tellings = 0, lasts } = scenario;
    for (const [resource, spec] of Object.entries(this.#specs)) {
      await this.#insist({ method: 'POST', url: `${WINNOW}/${resource}`, body: this.#object(spec) });
    }
    for (let edit = 0; edit < tellings; edit += 1) {
      await scheduler.sleep((chance.next() * lasts) / tellings);
      this.#own = chance.pick(OWN);
      for (const resource of Object.keys(this.#specs)) {
        await this.#insist({
          method: 'PATCH',
          url: `${WINNOW}/${resource}/${this.#who}`,
          body: { spec: { labelSelector: this.#own } },
          contentType: 'application/merge-patch+json',
        });
      }
    }
  }

  /** Records the tenant's messages and count for the checks. */
  end(record: TenantRecord): void {
    const { cluster, at } = this.#options;
    record.told.push({
      who: this.#who,
      own: this.#own,
      isOfAll: isOfAll(at),
      messages: this.#consumer.messages,
      known: this.#consumer.cache,
      count: this.#counted(),
      pods: cluster.world.table.rows.partition(PODS).map((row) => ({
        rv: Number(row.rv),
        body: decodeBody(row.body),
      })),
    });
  }

  #counted(): number {
    const rows = this.#options.cluster.world.table.rows.partition('object#winnow.dev/tallies');
    const row = rows.find(({ sk }) => sk === `${NAMESPACE}/${this.#who}`);
    return Number(row && objectAt(decodeBody(row.body).status).count);
  }

  get #specs(): Readonly<Record<'subscriptions' | 'tallies', JsonObject>> {
    const { at } = this.#options;
    const resource = { group: '', resource: 'pods' };
    const namespaces = isOfAll(at) ? 'All' : 'Own';
    return { subscriptions: { resource, namespaces, start: 'snapshot' }, tallies: { resource, namespaces } };
  }

  #object(spec: JsonObject): JsonObject {
    return { metadata: { name: this.#who, namespace: NAMESPACE }, spec };
  }

  /**
   * Repeats a request until it succeeds or its object exists. A tenant without a grant may neither subscribe nor edit.
   */
  async #insist(asked: Asked): Promise<void> {
    const { cluster, ask } = this.#options;
    const user = { username: this.#who, groups: ['system:authenticated'] };
    for (;;) {
      const answer = await ask({ ...asked, user });
      if (answer !== undefined && (answer.status < 300 || answer.status === 409)) return;
      await cluster.world.scheduler.sleep(RETRY);
    }
  }
}

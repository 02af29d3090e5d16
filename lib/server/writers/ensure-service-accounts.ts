import { NAMESPACES, SERVICE_ACCOUNTS } from '../../kubernetes/lifecycle/index.ts';
import { findResourceType } from '../../kubernetes/resource-types/index.ts';
import { type Clock, MEMORY } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import { eachPage, type ObjectState } from '../../store/index.ts';
import type { AccountOptions } from '../objects/index.ts';

/**
 * Creates what kube-apiserver creates where pods run as service accounts, if it is absent: the ServiceAccount `default`
 * in every namespace, and two ConfigMaps in kube-system. Namespaces lack their account if they are from before the
 * setting, or if a process ended too early. It reads the namespaces and the accounts, one request for each page.
 */
export async function ensureServiceAccounts(options: AccountOptions): Promise<void> {
  await ensureDefaultAccounts(options);
  await ensureConfigMaps(options);
}

async function ensureDefaultAccounts(options: AccountOptions): Promise<void> {
  const { DEFAULT_ACCOUNT, ensureDefaultAccount } = await import('../objects/index.ts');
  const whole = { selector: everything, mostHeap: MEMORY.page };
  const matches = ({ name }: ObjectState) => name.name === DEFAULT_ACCOUNT;
  const having = new Set<string>();
  for await (const { items } of eachPage(options.store, SERVICE_ACCOUNTS, { ...whole, matches })) {
    for (const { name } of items) having.add(name.namespace);
  }
  for await (const { items } of eachPage(options.store, NAMESPACES, whole)) {
    for (const { name } of items) {
      if (!having.has(name.name)) await ensureDefaultAccount(options, name.name);
    }
  }
}

/**
 * The ConfigMaps that kube-controller-manager and aggregated API servers read. Winnow verifies no client certificates
 * of a proxy, so the first has no data.
 *
 * @see k8s.io/kubernetes/pkg/controlplane/controller legacytokentracking, clusterauthenticationtrust
 */
const CONFIG_MAPS: Readonly<Record<string, (clock: Clock) => Readonly<Record<string, string>>>> = {
  'extension-apiserver-authentication': () => ({}),
  'kube-apiserver-legacy-service-account-token-tracking': (clock) => ({
    since: new Date(clock.now()).toISOString().slice(0, 10),
  }),
};

async function ensureConfigMaps(options: AccountOptions): Promise<void> {
  const { ensureObject } = await import('../objects/index.ts');
  const type = findResourceType('', 'v1', 'configmaps');
  if (type === undefined) throw new Error('the resource type configmaps is missing');
  for (const [name, dataOf] of Object.entries(CONFIG_MAPS)) {
    const data = dataOf(options.clock);
    const metadata = { name, namespace: 'kube-system' };
    const object = {
      apiVersion: 'v1',
      kind: type.kind,
      metadata,
      ...(Object.keys(data).length > 0 && { data }),
    };
    await options.announce('core/configmaps', await ensureObject(options, type, object));
  }
}

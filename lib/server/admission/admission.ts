import { objectAt } from '../../json/index.ts';
import { SUBSCRIPTIONS, TALLIES } from '../../kubernetes/lifecycle/index.ts';
import { collectionOfType } from '../../kubernetes/resource-types/index.ts';
import type { ObjectState, Snapshots } from '../../store/index.ts';
import { ADMISSION_INPUTS, rulersOf } from './admission-inputs.ts';
import type { Admission, AdmissionInputs, AdmissionRequest, Charge } from './admission-request.ts';

const NOTHING_TAKEN: Charge = { given: [] };
const FREE: Admission = {
  complete: (sent) => sent,
  refuse: () => {},
  charge: async (body, _old, decide) => {
    await decide(body);
    return NOTHING_TAKEN;
  },
};

/**
 * Returns the current effects of LimitRanges, quotas and classes on a write. Reading them takes one request, or none
 * if no such object can affect the type. The code that applies them is loaded only when one exists. Subscriptions and
 * Tallies also have the deployment's own limits.
 */
export async function admissionOf(request: AdmissionRequest): Promise<Admission> {
  const [ruled, account] = await Promise.all([ruledBy(request), accountOf(request)]);
  const admission = account === undefined ? ruled : both(ruled, account);
  const { subscribing, type } = request;
  if (subscribing === undefined || !SUBSCRIBING.has(collectionOfType(type))) return admission;
  return {
    ...admission,
    charge: async (body, old, decide) => {
      await decide(body);
      const { chargeSubscribing } = await import('./subscribing/index.ts');
      const turn = await chargeSubscribing({ ...request, subscribing, body, old: old?.body });
      const charge = await admission.charge(body, old, async () => {});
      // Both counts were made after this quota version was read, so one check of it covers them both.
      return turn === undefined ? charge : { ...charge, turn };
    },
  };
}

/** The effects of a pod's service account; undefined for other writes. */
async function accountOf(request: AdmissionRequest): Promise<AccountAdmission | undefined> {
  const { accounts, type, exists, subresource } = request;
  if (accounts === undefined || collectionOfType(type) !== 'core/pods') return undefined;
  if (exists ? subresource !== 'ephemeralcontainers' : subresource !== '') return undefined;
  const { accountAdmission } = await import('./accounts/index.ts');
  return accountAdmission({ ...request, accounts });
}

type AccountAdmission = Pick<Admission, 'complete' | 'refuse'>;

/** Kubernetes runs the ServiceAccount admission before that of priorities and runtime classes. */
function both(ruled: Admission, account: AccountAdmission): Admission {
  return {
    ...ruled,
    complete: (sent) => ruled.complete(account.complete(sent)),
    refuse: (body) => {
      account.refuse(body);
      ruled.refuse(body);
    },
  };
}

const SUBSCRIBING: ReadonlySet<string> = new Set([SUBSCRIPTIONS, TALLIES]);

async function ruledBy(request: AdmissionRequest): Promise<Admission> {
  const collections = rulersOf(request);
  if (collections.length === 0) return FREE;
  const { store, snapshot = (all) => store.snapshot(all) } = request;
  const rulers = rulersIn(await snapshot(collections), request.namespace);
  const { priorities, ...others } = rulers;
  const isRuled = [priorities.filter(isDefault), ...Object.values(others)].some(({ length }) => length > 0);
  if (!isRuled && !asksForMore(request)) return FREE;
  return (await import('./create-admission.ts')).createAdmission(request, rulers);
}

function rulersIn(snapshots: Snapshots, namespace: string): AdmissionInputs {
  const all = (name: keyof typeof ADMISSION_INPUTS) => snapshots.get(ADMISSION_INPUTS[name]) ?? [];
  const own = (name: keyof typeof ADMISSION_INPUTS) =>
    all(name).filter((one) => one.name.namespace === namespace);
  return {
    limits: own('limits'),
    quotas: own('quotas'),
    priorities: all('priorities'),
    runtimes: all('runtimes'),
    storages: all('storages'),
    ingresses: all('ingresses'),
  };
}

/** Whether a priority class is the default. Other classes affect only pods that name them. */
function isDefault({ body }: ObjectState): boolean {
  return body.globalDefault === true;
}

/**
 * Whether a new pod names a class or sets a field that classes define. Every write of a Service counts too, because
 * it has addresses.
 */
function asksForMore({ type, body, exists, subresource }: AdmissionRequest): boolean {
  const collection = collectionOfType(type);
  if (collection === 'core/services') return subresource === '';
  if (exists || collection !== 'core/pods') return false;
  const { priorityClassName = '', priority, runtimeClassName = '', overhead } = objectAt(body.spec ?? {});
  return (
    priorityClassName !== '' || priority !== undefined || runtimeClassName !== '' || overhead !== undefined
  );
}

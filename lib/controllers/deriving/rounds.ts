import type { Derived, DerivingStore, Versions, WorkKey, WorkRequest } from '../../coordination/index.ts';
import type { Collection } from '../../json/index.ts';
import { everything, parseSelector } from '../../selectors/index.ts';
import { eachPage } from '../../store/index.ts';
import { LEASE_LABEL, LEASES } from './leases.ts';
import { PODS, ROUNDS, SUBJECTS } from './workloads.ts';

const PAGE = 16 * 1024 * 1024;
const ALL = 'all';

/** The work key that stands for all objects, or for all of one collection; of one namespace where one is named. */
export function roundOf(collection?: Collection, namespace = ''): WorkKey {
  return { collection: ROUNDS, name: { namespace, name: collection?.replace('/', '.') ?? ALL } };
}

export interface Round {
  readonly subject: WorkKey;
  readonly wanted: Versions;
  /** Whether Leases of pods are followed. */
  readonly leases: boolean;
}

/** Creates work requests for all objects that a round's work key stands for. */
export async function goRound(
  { store }: DerivingStore,
  { subject: { name }, wanted, leases }: Round,
): Promise<Derived> {
  const owed: WorkRequest[] = [];
  const { namespace } = name;
  for (const collection of SUBJECTS) {
    if (name.name !== ALL && roundOf(collection).name.name !== name.name) continue;
    const request = { selector: everything, mostHeap: PAGE, ...(namespace !== '' && { namespace }) };
    for await (const page of eachPage(store, collection, request)) {
      for (const { name: own } of page.items) {
        const subject = { collection, name: own };
        owed.push(...[...wanted].map(([moved, rv]) => ({ subject, collection: moved, rv })));
      }
    }
  }
  if (leases && name.name === ALL) {
    const request = {
      selector: parseSelector(LEASE_LABEL),
      mostHeap: PAGE,
      ...(namespace !== '' && { namespace }),
    };
    for await (const { items } of eachPage(store, PODS, request)) {
      for (const { name: own, labels } of items) {
        const subject = { collection: LEASES, name: { ...own, name: labels[LEASE_LABEL] ?? '' } };
        owed.push(...[...wanted].map(([moved, rv]) => ({ subject, collection: moved, rv })));
      }
    }
  }
  return { seen: wanted, owed };
}

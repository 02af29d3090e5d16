import type { Selector } from '../../lib/selectors/index.ts';
import { ask, asking, METADATA_LIST } from '../api/index.ts';
import { endsOf, type Pair, type Reachability } from './matrix.ts';
import { type NetworkPolicy, namesAddresses, type PodMetadata, selectorsOf } from './pod-groups.ts';

/** The pods, and the selectors with which policies select pods. */
export interface Pods {
  readonly pods: readonly PodMetadata[];
  /** Whether there are more pods. */
  readonly isPart: boolean;
  /** Undefined if the user may not list the policies, or if there are too many. */
  readonly selectors: readonly Selector[] | undefined;
  readonly hasAddresses: boolean;
}

/** The destination of the traffic. */
export interface Destination {
  /** A number, or the name of a port in the destination's containers. */
  readonly port: string;
  readonly protocol: string;
}

/** The most pods and policies that are read. */
const MOST_PODS = 1_000;
const MOST_POLICIES = 500;
/** The questions that are open at once. */
const AT_ONCE = 4;

interface List<Item> {
  readonly items: readonly Item[];
  readonly metadata: { readonly continue?: string };
}

/** Reads the pods of a namespace, or of all. */
export async function readPods(namespace: string, signal: AbortSignal): Promise<Pods> {
  const inside = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  const [pods, policies] = await Promise.all([
    ask<List<PodMetadata>>(`/api/v1${inside}/pods`, {
      query: { limit: String(MOST_PODS) },
      accept: METADATA_LIST,
      signal,
    }),
    asking<List<NetworkPolicy>>(`/apis/networking.k8s.io/v1${inside}/networkpolicies`, {
      query: { limit: String(MOST_POLICIES) },
      signal,
    }),
  ]);
  const all = 'answer' in policies && !policies.answer.metadata.continue ? policies.answer.items : undefined;
  return {
    pods: pods.items,
    isPart: Boolean(pods.metadata.continue),
    selectors: all && selectorsOf(all),
    hasAddresses: all === undefined || namesAddresses(all),
  };
}

/** Asks all questions, and tells each answer. Ends when the signal aborts. */
export async function askAll(
  pairs: readonly Pair[],
  destination: Destination,
  tell: (key: string, answer: Reachability | Error) => void,
  signal: AbortSignal,
): Promise<void> {
  const left = pairs.values();
  const work = async () => {
    for (const pair of left) {
      if (signal.aborted) return;
      const answer = await askOne(pair, destination, signal);
      if (!signal.aborted) tell(pair.key, answer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function askOne(
  pair: Pair,
  destination: Destination,
  signal: AbortSignal,
): Promise<Reachability | Error> {
  const { port, protocol } = destination;
  const ends = endsOf(pair);
  const spec = {
    from: { namespace: pair.from.namespace, name: ends.from },
    to: { namespace: pair.to.namespace, name: ends.to },
    port: /^\d+$/.test(port) ? Number(port) : port,
    protocol,
  };
  const body = { apiVersion: 'winnow.dev/v1', kind: 'ReachabilityReview', spec };
  const path = '/apis/winnow.dev/v1/reachabilityreviews';
  const asked = await asking<{ status: Reachability }>(path, { method: 'POST', body, isRead: true, signal });
  return 'answer' in asked ? asked.answer.status : asked.error;
}

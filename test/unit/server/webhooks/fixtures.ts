import type { JsonObject, JsonValue } from '../../../../lib/json/index.ts';
import type { AdmissionAttributes } from '../../../../lib/kubernetes/admission-match/index.ts';
import { systemRandom as random, silentLogger } from '../../../../lib/platform/index.ts';
import {
  type Asking,
  listedDestinations,
  type Matcher,
  SlowWebhooks,
  type Transport,
  webhooksIn,
} from '../../../../lib/server/webhooks/index.ts';
import { readDestinationList } from '../../../../lib/webhook-places/index.ts';

/** A write of a Pod. */
export const attributes: AdmissionAttributes = {
  operation: 'CREATE',
  kind: { group: '', version: 'v1', kind: 'Pod' },
  resource: { group: '', version: 'v1', resource: 'pods' },
  subresource: '',
  name: 'web',
  namespace: 'shop',
  user: { name: 'ann', uid: '', groups: ['dev'], extra: {} },
  dryRun: false,
  options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
  object: pod({}),
  oldObject: undefined,
};

export function pod(labels: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', labels } };
}

export function webhook(name: string, others: JsonObject = {}): JsonObject {
  return {
    name,
    clientConfig: { url: `https://hooks.example/${name}` },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: 'Fail',
    ...others,
  };
}

export const configuration = (name: string, ...webhooks: JsonObject[]): JsonObject => ({
  metadata: { name },
  webhooks,
});

/** What one webhook answers to a request: a response, or the text of the whole answer with its status. */
export type Answering = (
  request: JsonObject,
) => JsonObject | { readonly status: number; readonly text: string };

/** Answers by the name of the webhook, which is the path of its URL. It also lists the requests. */
export function answering(answers: Readonly<Record<string, Answering>>) {
  const requests: { readonly webhook: string; readonly request: JsonObject; readonly timeout: number }[] = [];
  const transport: Transport = {
    post: async (destination, body, timeout) => {
      if (destination.kind !== 'https') throw new Error('only URLs are listed');
      const name = destination.url.pathname.slice(1);
      const { request } = JSON.parse(body);
      requests.push({ webhook: name, request, timeout });
      const answer = answers[name]?.(request) ?? { allowed: true };
      if (typeof answer.text === 'string' && typeof answer.status === 'number') {
        return { status: answer.status, text: answer.text };
      }
      const review = {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid: request.uid, ...answer },
      };
      return { status: 200, text: JSON.stringify(review) };
    },
  };
  return { transport, requests };
}

/** A write and the webhooks of these configurations, which all match. */
export function askingOf(
  configurations: readonly JsonObject[],
  transport: Transport,
  others: Partial<Asking> = {},
): Asking {
  const clock = { now: () => 1_000 } as Asking['caller']['clock'];
  return {
    caller: {
      destinations: listedDestinations(readDestinationList({ hosts: ['hooks.example'] })),
      transport,
      slow: new SlowWebhooks(clock),
      clock,
      random,
      logger: silentLogger,
    },
    matcher: asRequested,
    webhooks: webhooksIn(configurations),
    attributes,
    until: 16_000,
    ...others,
  };
}

const asRequested: Matcher = {
  match: async (_, { kind, resource }) => ({ kind, resource }),
  shown: async (given) => given,
  back: async (object) => object,
};

/** A patch as webhooks send it. */
export function patching(...operations: JsonValue[]): JsonObject {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch };
}

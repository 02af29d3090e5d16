import { objectAt } from '../../../lib/json/index.ts';
import type { ApiOptions } from '../../../lib/server/index.ts';
import type { Cluster } from '../actors/cluster.ts';
import { type Ask, type Asked, serveApi, serveTogether, warmApi } from '../api/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { MAPS_URL, NAMESPACE } from './rulings.ts';
import { FORWARD, isForward, STEPPED, STEPS, type StepRecord } from './step-record.ts';

const RETRY = 500;
/** The time in ms that the webhook takes. After a long one, what was read before is too old for a transaction. */
const CALL = [0, 3_500] as const;
const HOST = 'guard.example.com';
const GROUP = 'admissionregistration.k8s.io';
const [BY_POLICY, BY_WEBHOOK] = STEPPED;
const UPDATES = { operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };

/** The rules, and then the objects that they decide about. */
const BEGINNING: readonly Asked[] = [
  creates(`/apis/${GROUP}/v1/validatingadmissionpolicies`, {
    metadata: { name: BY_POLICY },
    spec: {
      matchConstraints: { resourceRules: [{ ...UPDATES, resourceNames: [BY_POLICY] }] },
      validations: [
        {
          expression: `[${FORWARD.join(', ')}].exists(by, (int(oldObject.data.step) + by) % ${STEPS} == int(object.data.step))`,
        },
      ],
    },
  }),
  creates(`/apis/${GROUP}/v1/validatingadmissionpolicybindings`, {
    metadata: { name: BY_POLICY },
    spec: { policyName: BY_POLICY, validationActions: ['Deny'] },
  }),
  creates(`/apis/${GROUP}/v1/validatingwebhookconfigurations`, {
    metadata: { name: BY_WEBHOOK },
    webhooks: [
      {
        name: HOST,
        clientConfig: { url: `https://${HOST}/` },
        rules: [UPDATES],
        matchConditions: [{ name: 'stepped', expression: `request.name == '${BY_WEBHOOK}'` }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  }),
  ...STEPPED.map((name) => creates(MAPS_URL, mapOf(name, 0))),
];

/**
 * Starts clients that move steps, whose moves depend on the stored step. The API runs in a function for each request, or
 * serves many in one process. The webhook is a part of the simulated network.
 */
export function liveWithSteps(cluster: Cluster, record: StepRecord, scenario: Scenario): Promise<void>[] {
  const { steppers = 0 } = scenario;
  record.follow(cluster.world);
  const { chance } = cluster.world;
  const webhooks = ({ clock }: Pick<ApiOptions, 'clock'>) => webhook(() => clock.sleep(chance.within(CALL)));
  const apis = [serveApi(cluster, { webhooks }), serveTogether(cluster, { webhooks })];
  const begun = begin(cluster, apis[0] as Ask);
  return Array.from({ length: steppers }, async (_, at) => {
    await begun;
    await step(cluster, apis[at % apis.length] as Ask, scenario);
  });
}

/** Has the API load the modules that these actors need. */
export async function warmUp(): Promise<void> {
  const moves = STEPPED.flatMap((name) => [1, 0].map((to) => moving(name, to)));
  await warmApi(
    [...BEGINNING, ...moves],
    webhook(async () => {}),
  );
}

async function begin({ world }: Cluster, ask: Ask): Promise<void> {
  for (const one of BEGINNING) {
    for (;;) {
      const answer = await ask(one);
      if (answer !== undefined && (answer.status < 300 || answer.status === 409)) break;
      await world.scheduler.sleep(RETRY);
    }
  }
}

async function step({ world }: Cluster, ask: Ask, { writes, pause }: Scenario): Promise<void> {
  const { chance, scheduler } = world;
  for (let count = 0; count < writes; count += 1) {
    await scheduler.sleep(chance.within(pause));
    await ask(moving(chance.pick(STEPPED), chance.below(STEPS)));
  }
}

/** The webhook's server: it answers after `wait`, and reads both states of the object from the request. */
function webhook(wait: () => Promise<void>): ApiOptions['webhooks'] {
  const post = async (_destination: unknown, body: string) => {
    await wait();
    const { uid, object, oldObject } = objectAt(JSON.parse(body).request);
    const [before, after] = [oldObject, object].map((each) => Number(objectAt(objectAt(each).data).step));
    const response = { uid, allowed: isForward(before ?? 0, after ?? 0) };
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
    return { status: 200, text: JSON.stringify(review) };
  };
  return { places: JSON.stringify({ hosts: [HOST] }), transport: { post } };
}

/** An update without a resourceVersion: it does not name the state that it replaces. */
function moving(name: string, to: number): Asked {
  return { method: 'PUT', url: `${MAPS_URL}/${name}`, body: mapOf(name, to) };
}

function mapOf(name: string, step: number) {
  return { metadata: { name, namespace: NAMESPACE }, data: { step: String(step) } };
}

function creates(url: string, body: Asked['body'] & object): Asked {
  return { method: 'POST', url, body };
}

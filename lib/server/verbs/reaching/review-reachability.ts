import { type Collection, type JsonObject, objectAt } from '../../../json/index.ts';
import { invalid as invalidField } from '../../../kubernetes/field-errors/index.ts';
import { type End, type NetworkPolicy, reach, type Verdict } from '../../../kubernetes/reachability/index.ts';
import { apiVersionOf } from '../../../kubernetes/resource-types/index.ts';
import { everything, type FieldError } from '../../../selectors/index.ts';
import { eachPage, type Store } from '../../../store/index.ts';
import { type Answer, type Call, readBody, readDryRun } from '../../http/index.ts';
import { decodeSent } from '../../objects/index.ts';
import { presenterOf } from '../../show/index.ts';
import { invalid } from '../../status/index.ts';
import { lookUpEnd } from './look-up-end.ts';
import { type Question, readQuestion } from './read-question.ts';

const POLICIES: Collection = 'networking.k8s.io/networkpolicies';
const PAGE = 500;

/**
 * POST of a ReachabilityReview: whether NetworkPolicies let one end reach another, and which rule decides. Nothing is
 * stored.
 * @throws ApiError 422
 */
export async function reviewReachability(call: Call): Promise<Answer> {
  const { options, request, route } = call;
  const { type } = route;
  const present = await presenterOf(call);
  readDryRun(request.query.getAll('dryRun'), 'CreateOptions');
  const sent = await readBody(request, { apiVersion: apiVersionOf(type), kind: type.kind });
  const { body } = await decodeSent({ ...sent, type, namespace: '' });
  const spec = objectAt(body.spec);
  const errors: FieldError[] = [];
  const question = readQuestion(spec, errors);
  const status = question && (await judge(options.store, question, errors));
  if (status === undefined || errors.length > 0) throw invalid(type, '', errors);
  const metadata = { creationTimestamp: null };
  const answer = { kind: type.kind, apiVersion: apiVersionOf(type), metadata, spec, status };
  return { status: 201, value: present.object(answer) };
}

/** The status of the answer. Returns undefined and adds to `errors` if an end or its port does not exist. */
async function judge(store: Store, asked: Question, errors: FieldError[]): Promise<JsonObject | undefined> {
  if (errors.length > 0) return undefined;
  const [from, to] = await Promise.all([
    lookUpEnd(store, asked.from, errors),
    lookUpEnd(store, asked.to, errors),
  ]);
  if (from === undefined || to === undefined) return undefined;
  const port = numberOf(asked, to);
  if (port === undefined) {
    const detail = `${asked.to.path} has no ${asked.protocol} port of this name`;
    errors.push(invalidField('spec.port', asked.port, detail));
    return undefined;
  }
  const { protocol, ipFamily } = asked;
  const traffic = { from, to, port, protocol, ...(ipFamily !== undefined && { ipFamily }) };
  const { decision, egress, ingress } = reach(traffic, await policiesOf(store, [from, to]));
  return { decision, port, egress: verdict(egress), ingress: verdict(ingress) };
}

/** The number of the port. A name is looked up among the ports of the destination's containers. */
function numberOf({ port, protocol }: Question, to: End): number | undefined {
  if (typeof port === 'number') return port;
  const ports = 'ports' in to ? to.ports : [];
  return ports.find((one) => one.name === port && one.protocol === protocol)?.port;
}

/** All policies in the namespaces of both ends, at one resourceVersion. */
async function policiesOf(store: Store, ends: readonly End[]): Promise<NetworkPolicy[]> {
  const namespaces = new Set(ends.flatMap((end) => ('namespace' in end ? [end.namespace] : [])));
  const found: NetworkPolicy[] = [];
  let at: number | undefined;
  for (const namespace of namespaces) {
    const asked = { namespace, selector: everything, limit: PAGE, ...(at !== undefined && { at }) };
    for await (const { rv, items } of eachPage(store, POLICIES, asked)) {
      at = rv;
      found.push(...items.map(({ body }) => body as NetworkPolicy));
    }
  }
  return found;
}

function verdict({ decision, cause, message, policy, rule, selectedBy }: Verdict): JsonObject {
  return {
    decision,
    reason: cause,
    message,
    ...(policy !== undefined && { policy: { ...policy } }),
    ...(rule !== undefined && { rule }),
    selectedBy: selectedBy.map((one) => ({ ...one })),
  };
}

import type { JsonObject } from '../../json/index.ts';
import {
  array,
  boolean,
  fields,
  integer,
  object,
  type ResourceType,
  string,
  time,
} from '../../kubernetes/resource-types/index.ts';
import { REACHABILITY_PROPERTIES } from './reachability-properties.ts';

type Properties = ResourceType['properties'];

/** What the top-level fields of this API's own kinds hold, beside what every object has. They are described here, where nobody loads them who writes. */
export function ownProperties({ group, kind, properties }: ResourceType): Properties {
  return group === 'winnow.dev' ? (OWN[kind] ?? properties) : properties;
}

const RUNS_AS = 'The service account of its namespace whose rights it has; the caller may impersonate it.';

const SUBSCRIPTION: Properties = {
  spec: fields('What to send where.', {
    resource: fields('Whose changes to send.', {
      group: string('API group; empty for the core group.'),
      resource: string('Plural of the resource type.'),
    }),
    namespaces: string('Own (default): of its own namespace. All: of every namespace.'),
    namespaceSelector: object('Of the namespaces whose labels match, while they do; instead of namespaces.'),
    labelSelector: string('Which objects, in the selector language; or selector.'),
    fieldSelector: string('Which objects, by fields.'),
    queue: fields('Where to send.', {
      type: string('FIFO (default) or Standard: make a queue of this type.'),
      arn: string('Send to this queue, which is there.'),
      token: string('What that queue was sent: proves that whoever names it may read it.'),
    }),
    ordering: string('Total (default) or Object: of what the order is kept.'),
    start: string('now (default), snapshot, or a resourceVersion.'),
    payload: string('Object (default), Metadata or Reference.'),
    verify: boolean('Number the messages, and say in each what proves the set after it.'),
    suspend: boolean('Send nothing; what is missed is sent when it is taken back.'),
    serviceAccountName: string(RUNS_AS),
    consumers: array(
      'Who may receive, in the policy of the queue.',
      string('ARN of an IAM user, role or account.'),
    ),
  }),
  status: fields('Where it sends and how it fares.', {
    queueUrl: string('URL of the queue.'),
    queueArn: string('ARN of the queue.'),
    observedGeneration: integer('The generation that is in force, or on its way.', 'int64'),
    edit: integer('The last edit of what is sent, or the one under way.', 'int64'),
    phase: string('How far it is.'),
    position: string('Everything up to this resourceVersion was sent. On GET of one.'),
    lag: fields('What lies behind the position. On GET of one.', {
      changes: integer('So many resourceVersions, whomever they concern.', 'int64'),
      seconds: integer('How long ago the oldest of them was written.', 'int64'),
    }),
    messages: fields('What the queue held when it was looked at last. On GET of one.', {
      waiting: integer('Messages that wait to be received, about.', 'int64'),
      inFlight: integer('Messages that were received and not deleted, about.', 'int64'),
      asOf: time('When that was.'),
    }),
    sequence: integer('Messages told up to the position, with verify. On GET of one.', 'int64'),
    set: string('Count and digest of the set at the position, with verify. On GET of one.'),
    conditions: array('Conditions.', object('A condition.')),
  }),
};

const ACCESS_ENTRY: Properties = {
  spec: fields('Who a principal of AWS is here.', {
    principal: string('ARN of an IAM user, or of a role for all of its sessions. One entry for each.'),
    username: string('Its username; its ARN where there is none. Nothing that begins with system:.'),
    groups: array('The groups it is in, beside system:authenticated.', string('A group.')),
  }),
};

const TALLY: Properties = {
  spec: fields('What to count.', {
    resource: fields('What to count objects of.', {
      group: string('API group; empty for the core group.'),
      resource: string('Plural of the resource type.'),
    }),
    namespaces: string('Own (default): of its own namespace. All: of every namespace.'),
    namespaceSelector: object('Of the namespaces whose labels match, while they do; instead of namespaces.'),
    labelSelector: string('Which objects, in the selector language; or selector.'),
    fieldSelector: string('Which objects, by fields.'),
    suspend: boolean('Count nothing; all is counted anew when it is taken back.'),
    serviceAccountName: string(RUNS_AS),
    groupBy: array('Count by the values of these labels, too; 4 at most.', string('A label key.')),
    bounds: fields('How many there should be.', {
      min: integer('At least; phase is Below where there are fewer.', 'int64'),
      max: integer('At most; phase is Above where there are more.', 'int64'),
    }),
  }),
  status: fields('What was counted.', {
    observedGeneration: integer('The generation that was counted.', 'int64'),
    phase: string('Counting, Below, Within, Above or Suspended.'),
    count: integer('How many there are.', 'int64'),
    groups: array(
      'How many of them have which labels.',
      fields('Objects with the same values.', {
        labels: object('The values of groupBy that they have.'),
        count: integer('How many they are.', 'int64'),
      }),
    ),
    conditions: array('Conditions.', object('A condition.')),
  }),
};

const NODE = string('Name of the node.');

const PLACEMENT_REVIEW: Properties = {
  spec: fields('What is asked: exactly one of pod, template and object.', {
    pod: object('A Pod, with the fields that `kubectl explain pod` tells.'),
    template: object('A template of pods, as workloads have in spec.template.'),
    object: object(
      'An object with a template of pods: a Pod, a workload, or one whose CustomResourceDefinition says in its annotation winnow.dev/pod-template where that is.',
    ),
    count: integer('How many pods are placed one after the other, 1 to 500; 1 where it is not said.'),
  }),
  status: fields('Where they may go.', {
    assigned: array('The node of each pod, as far as there is one.', NODE),
    feasible: array(
      'The nodes that the first pod may go to, the best first.',
      fields('A node that no rule refuses.', {
        node: NODE,
        score: integer('The sum of its scores.'),
        scores: described('What each rule gives it: 0 to 100, times the weight of the rule.'),
      }),
    ),
    refused: array(
      'The nodes that the first pod may not go to, by name.',
      fields('A node that a rule refuses.', {
        node: NODE,
        rule: string('The first rule that refuses it.'),
        reasons: array("In kube-scheduler's words.", string('A reason.')),
      }),
    ),
    message: string("Why the next pod has no node, in kube-scheduler's words. Absent where all have one."),
  }),
};

function described(description: string): JsonObject {
  return { type: 'object', description, additionalProperties: { type: 'integer', format: 'int32' } };
}

const OWN: Readonly<Record<string, Properties>> = {
  AccessEntry: ACCESS_ENTRY,
  PlacementReview: PLACEMENT_REVIEW,
  ReachabilityReview: REACHABILITY_PROPERTIES,
  Subscription: SUBSCRIPTION,
  Tally: TALLY,
};

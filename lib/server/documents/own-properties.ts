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

/** The schemas of the top-level fields of Winnow's own kinds. Writes do not load this file. */
export function ownProperties({ group, kind, properties }: ResourceType): Properties {
  return group === 'winnow.dev' ? (OWN[kind] ?? properties) : properties;
}

const RUNS_AS =
  'A service account of the namespace, whose rights limit delivery. The caller may impersonate it.';

const SUBSCRIPTION: Properties = {
  spec: fields('The selection and the queue.', {
    resource: fields('The resource type to select from.', {
      group: string('API group; empty for the core group.'),
      resource: string('Plural of the resource type.'),
    }),
    namespaces: string('Own (default): its own namespace. All: every namespace.'),
    namespaceSelector: object('Selects namespaces by label; use it instead of namespaces.'),
    labelSelector: string('A label selector as text; or selector.'),
    fieldSelector: string('A field selector.'),
    queue: fields('The queue.', {
      type: string('FIFO (default) or Standard: the type of the queue that Winnow creates.'),
      arn: string('An existing queue of yours.'),
      token: string('The token that Winnow sent to the queue. It proves that you may read the queue.'),
    }),
    ordering: string('Total (default) or Object: the order that Winnow keeps.'),
    start: string('now (default), snapshot, or a resourceVersion.'),
    payload: string('Object (default), Metadata or Reference.'),
    verify: boolean('Numbers the messages, and adds a digest of the set to each.'),
    suspend: boolean('Pauses delivery. Winnow delivers the missed changes when you set it to false.'),
    serviceAccountName: string(RUNS_AS),
    consumers: array(
      'The principals that may receive, for the policy of the queue.',
      string('ARN of an IAM user, role or account.'),
    ),
  }),
  status: fields('The queue and the progress.', {
    queueUrl: string('URL of the queue.'),
    queueArn: string('ARN of the queue.'),
    observedGeneration: integer('The generation that is in effect, or in progress.', 'int64'),
    edit: integer('The last edit of the selection, or the one in progress.', 'int64'),
    phase: string('The phase.'),
    position: string('Everything up to this resourceVersion was sent. Only in GET.'),
    lag: fields('The changes after the position. Only in GET.', {
      changes: integer('The number of later resourceVersions of the collection.', 'int64'),
      seconds: integer('The age of the oldest of them.', 'int64'),
    }),
    messages: fields('The content of the queue at the last check. Only in GET.', {
      waiting: integer('Approximate number of waiting messages.', 'int64'),
      inFlight: integer('Approximate number of messages that were received and not deleted.', 'int64'),
      asOf: time('The time of the check.'),
    }),
    sequence: integer('The number of messages up to the position, with verify. Only in GET.', 'int64'),
    set: string('Count and digest of the set at the position, with verify. Only in GET.'),
    conditions: array('Conditions.', object('A condition.')),
  }),
};

const ACCESS_ENTRY: Properties = {
  spec: fields('The user of an AWS principal.', {
    principal: string('ARN of an IAM user, or of a role for all its sessions. One entry for each.'),
    username: string('The username; default: the ARN. It may not begin with system:.'),
    groups: array('The groups, besides system:authenticated.', string('A group.')),
  }),
};

const TALLY: Properties = {
  spec: fields('The selection to count.', {
    resource: fields('The resource type to count.', {
      group: string('API group; empty for the core group.'),
      resource: string('Plural of the resource type.'),
    }),
    namespaces: string('Own (default): its own namespace. All: every namespace.'),
    namespaceSelector: object('Selects namespaces by label; use it instead of namespaces.'),
    labelSelector: string('A label selector as text; or selector.'),
    fieldSelector: string('A field selector.'),
    suspend: boolean('Pauses counting. Winnow counts again when you set it to false.'),
    serviceAccountName: string(RUNS_AS),
    groupBy: array('Also counts by the values of these labels; at most 4.', string('A label key.')),
    bounds: fields('The allowed range of the count.', {
      min: integer('The minimum; below it the phase is Below.', 'int64'),
      max: integer('The maximum; above it the phase is Above.', 'int64'),
    }),
  }),
  status: fields('The counts.', {
    observedGeneration: integer('The generation that was counted.', 'int64'),
    phase: string('Counting, Below, Within, Above or Suspended.'),
    count: integer('The number of objects.', 'int64'),
    groups: array(
      'The counts by label values.',
      fields('Objects with the same values.', {
        labels: object('The values of the labels in groupBy.'),
        count: integer('The number of these objects.', 'int64'),
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

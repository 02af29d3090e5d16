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
import { HISTORY_LIST_PROPERTIES, HISTORY_PROPERTIES } from './history-properties.ts';
import { REACHABILITY_PROPERTIES } from './reachability-properties.ts';
import { SELECTION_PROPERTIES } from './selection-properties.ts';

type Properties = ResourceType['properties'];

/**
 * The top-level fields of Winnow's own kinds. They are described here and not with the kinds, so that functions that
 * write do not load them.
 */
export function ownProperties({ group, kind, properties }: ResourceType): Properties {
  return group === 'winnow.dev' ? (OWN[kind] ?? properties) : properties;
}

/** The top-level fields of a list of a kind, besides apiVersion, kind, metadata and items. */
export function ownListProperties({ group, kind }: ResourceType): Properties {
  return group === 'winnow.dev' && kind === 'History' ? HISTORY_LIST_PROPERTIES : {};
}

const RUNS_AS =
  'A service account of the same namespace, whose permissions apply. You need permission to impersonate it.';
const NAMESPACES = 'Own (default): the namespace of the object. All: every namespace.';
const NAMESPACE_SELECTOR = 'Selects namespaces by label; use it instead of namespaces.';
const LABEL_SELECTOR = 'Selects objects by label, in the selector language; or use selector.';
const FIELD_SELECTOR = 'Selects objects by field.';

const SUBSCRIPTION: Properties = {
  spec: fields('The changes to deliver, and the queue that receives them.', {
    resource: fields('The resource type whose changes are delivered.', {
      group: string('API group; empty for the core group.'),
      resource: string('Plural of the resource type.'),
    }),
    namespaces: string(NAMESPACES),
    namespaceSelector: object(NAMESPACE_SELECTOR),
    labelSelector: string(LABEL_SELECTOR),
    fieldSelector: string(FIELD_SELECTOR),
    queue: fields('The queue that receives the changes.', {
      type: string('FIFO (default) or Standard: Winnow creates a queue of this type.'),
      arn: string('ARN of an existing queue to deliver to.'),
      token: string('The token that Winnow sent to the queue. It proves that you may read the queue.'),
    }),
    ordering: string('Total (default): one order for all changes. Object: one order for each object.'),
    start: string('now (default), snapshot, or a resourceVersion.'),
    payload: string('Object (default), Metadata or Reference.'),
    verify: boolean('Numbers the messages, and adds a digest of the delivered set to each.'),
    suspend: boolean('Pauses delivery. Winnow delivers the missed changes when you set it to false.'),
    serviceAccountName: string(RUNS_AS),
    consumers: array(
      'Principals that the queue policy allows to receive.',
      string('ARN of an IAM user, role or account.'),
    ),
  }),
  status: fields('The queue, and the progress of delivery.', {
    queueUrl: string('URL of the queue.'),
    queueArn: string('ARN of the queue.'),
    observedGeneration: integer('The generation that is in effect, or is being put into effect.', 'int64'),
    edit: integer('Number of the last edit of the selection, or of the edit in progress.', 'int64'),
    phase: string('The state of delivery.'),
    position: string('All changes up to this resourceVersion are delivered. Only in GET of one object.'),
    lag: fields('The changes after the position. Only in GET of one object.', {
      changes: integer(
        'Number of resourceVersions after the position, of selected and other objects.',
        'int64',
      ),
      seconds: integer('Age of the oldest of them.', 'int64'),
    }),
    messages: fields('The messages in the queue at the last check. Only in GET of one object.', {
      waiting: integer('Approximate number of messages that wait to be received.', 'int64'),
      inFlight: integer('Approximate number of messages that were received and not deleted.', 'int64'),
      asOf: time('Time of the check.'),
    }),
    sequence: integer('Messages sent up to the position, with verify. Only in GET of one object.', 'int64'),
    set: string('Count and digest of the set at the position, with verify. Only in GET of one object.'),
    conditions: array('Conditions.', object('A condition.')),
  }),
};

const ACCESS_ENTRY: Properties = {
  spec: fields('An IAM principal, with its username and groups in this API.', {
    principal: string(
      'ARN of an IAM user, or of a role with all of its sessions. A principal has one entry.',
    ),
    username: string('Username of the principal; by default its ARN. It must not begin with system:.'),
    groups: array('Groups of the principal, in addition to system:authenticated.', string('A group.')),
  }),
};

const TALLY: Properties = {
  spec: fields('The objects to count.', {
    resource: fields('The resource type whose objects are counted.', {
      group: string('API group; empty for the core group.'),
      resource: string('Plural of the resource type.'),
    }),
    namespaces: string(NAMESPACES),
    namespaceSelector: object(NAMESPACE_SELECTOR),
    labelSelector: string(LABEL_SELECTOR),
    fieldSelector: string(FIELD_SELECTOR),
    suspend: boolean('Pauses counting. Winnow counts all objects again when you set it to false.'),
    serviceAccountName: string(RUNS_AS),
    groupBy: array('Also counts by the values of these labels; at most 4.', string('A label key.')),
    bounds: fields('The expected count.', {
      min: integer('The least count; with fewer objects the phase is Below.', 'int64'),
      max: integer('The greatest count; with more objects the phase is Above.', 'int64'),
    }),
  }),
  status: fields('The counts.', {
    observedGeneration: integer('The generation that was counted.', 'int64'),
    phase: string('Counting, Below, Within, Above or Suspended.'),
    count: integer('Number of selected objects.', 'int64'),
    groups: array(
      'Number of objects by the values of the groupBy labels.',
      fields('Objects with the same values.', {
        labels: object('Their values of the groupBy labels.'),
        count: integer('Number of objects.', 'int64'),
      }),
    ),
    conditions: array('Conditions.', object('A condition.')),
  }),
};

const NODE = string('Name of the node.');

const PLACEMENT_REVIEW: Properties = {
  spec: fields('The pods to place: exactly one of pod, template and object.', {
    pod: object('A Pod, with the fields that `kubectl explain pod` shows.'),
    template: object('A pod template, as in spec.template of a workload.'),
    object: object(
      'An object with a pod template: a Pod, a workload, or a custom object. For a custom kind, the annotation winnow.dev/pod-template of the CustomResourceDefinition names the path of the template.',
    ),
    count: integer('Number of pods to place, one after the other: 1 (default) to 500.'),
  }),
  status: fields('The placement.', {
    assigned: array('The node of each pod that has one.', NODE),
    feasible: array(
      'The nodes that can take the first pod, the best first.',
      fields('A node that no rule refuses.', {
        node: NODE,
        score: integer('The sum of its scores.'),
        scores: described('The score of each rule: 0 to 100, times the weight of the rule.'),
      }),
    ),
    refused: array(
      'The nodes that cannot take the first pod, by name.',
      fields('A node that a rule refuses.', {
        node: NODE,
        rule: string('The first rule that refuses it.'),
        reasons: array("The reasons, in kube-scheduler's words.", string('A reason.')),
      }),
    ),
    message: string("Why the next pod has no node, in kube-scheduler's words. Absent if all pods have one."),
  }),
};

function described(description: string): JsonObject {
  return { type: 'object', description, additionalProperties: { type: 'integer', format: 'int32' } };
}

const OWN: Readonly<Record<string, Properties>> = {
  AccessEntry: ACCESS_ENTRY,
  History: HISTORY_PROPERTIES,
  PlacementReview: PLACEMENT_REVIEW,
  ReachabilityReview: REACHABILITY_PROPERTIES,
  SelectionReview: SELECTION_PROPERTIES,
  Subscription: SUBSCRIPTION,
  Tally: TALLY,
};

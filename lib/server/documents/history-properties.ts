import {
  array,
  fields,
  object,
  type ResourceType,
  string,
  time,
} from '../../kubernetes/resource-types/index.ts';

/** The fields of a History. */
export const HISTORY_PROPERTIES: ResourceType['properties'] = {
  resourceVersion: string('The resourceVersion that the change gave the object.'),
  previousResourceVersion: string('The resourceVersion of the change before it. Absent for the first one.'),
  time: time('Time of the change.'),
  type: string('Created, Updated or Deleted. With a selector: Entered, Changed or Left.'),
  user: string('The user that made the change. Absent if Winnow made it.'),
  manager: string('The field manager of the change.'),
  auditID: string('The audit ID of the request that made the change.'),
  cause: string('The annotation kubernetes.io/change-cause, if the change set it.'),
  object: fields('The object that changed.', {
    apiVersion: string('Its group and version.'),
    kind: string('Its kind.'),
    resource: string('The plural of its kind.'),
    namespace: string('Its namespace.'),
    name: string('Its name.'),
    uid: string('Its uid.'),
  }),
  patch: array(
    'The change as a JSON patch (RFC 6902), without managedFields and resourceVersion.',
    object('An operation.'),
  ),
  before: object('The object before the change, with states=true.'),
  after: object('The object after the change, with states=true.'),
};

/** The fields of a HistoryList besides those of every list. */
export const HISTORY_LIST_PROPERTIES: ResourceType['properties'] = {
  end: string(
    'The reason why the last page ends: Created, Reached, Expired, Missing, NotVisible or Redefined.',
  ),
};

import type { JsonObject } from '../../../json/index.ts';
import { defineResourceTypes } from '../define-resource-types.ts';
import type { StoredAs } from '../stored-as.ts';

/** The names of fields in this group, by their names in the core group. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
]);
const STORED: ReadonlyMap<string, string> = new Map([...NAMES].map(([core, own]) => [own, core]));

const asCoreEvent: StoredAs = {
  group: '',
  version: 'v1',
  encode: (event) => ({ ...renamed(event, STORED), apiVersion: 'v1' }),
  decode: (event) => ({ ...renamed(event, NAMES), apiVersion: 'events.k8s.io/v1' }),
};

/** events.k8s.io/v1: the Events of the core group with other field names. */
export const events = defineResourceTypes('events.k8s.io', 'v1', [
  {
    kind: 'Event',
    resource: 'events',
    createOnUpdate: true,
    isEvent: true,
    shortNames: ['ev'],
    fields: [
      ...['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'].map(
        (name) => `regarding.${name}`,
      ),
      'reason',
      'reportingController',
      'type',
    ],
    storedAs: asCoreEvent,
  },
]);

function renamed(event: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(event).map(([name, value]) => [names.get(name) ?? name, value]));
}

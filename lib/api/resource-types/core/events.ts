import type { JsonObject } from '../../../store/index.ts';
import { asString, field, integer, NAME, text, wide } from '../columns.ts';
import type { ResourceDefinition } from '../define-resource-types.ts';
import { humanAge } from '../human-duration.ts';
import { numberAt, textAt } from '../json-path.ts';
import * as schema from '../schema-fields.ts';

const REFERENCE = ['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'];

export const events: ResourceDefinition = {
  kind: 'Event',
  resource: 'events',
  description: 'Event reports something that happened to an object.',
  shortNames: ['ev'],
  nameRule: 'path',
  fields: [
    ...REFERENCE.map((key) => `involvedObject.${key}`),
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  columns: [
    text('Last Seen', 'Time since it last happened.', (o, now) => humanAge(lastSeen(o), now)),
    field('Type', 'type', 'Normal or Warning.', ''),
    field('Reason', 'reason', 'Why, in one word.', ''),
    text('Object', 'What it happened to.', involvedObject),
    wide(field('Subobject', 'involvedObject.fieldPath', 'Which part of the object.', '')),
    wide(text('Source', 'Who reported it.', source)),
    text('Message', 'What happened.', (o) => textAt(o, 'message').trim()),
    wide(text('First Seen', 'Time since it first happened.', (o, now) => humanAge(firstSeen(o), now))),
    wide(asString(integer('Count', 'How often it happened.', times))),
    wide(NAME),
  ],
  properties: {
    involvedObject: schema.fields(
      'What it happened to.',
      Object.fromEntries(REFERENCE.map((key) => [key, schema.string('')])),
    ),
    type: schema.string('Normal or Warning.'),
    reason: schema.string('Why, in one word.'),
    message: schema.string('What happened.'),
    action: schema.string('What was done.'),
    source: schema.object('Who reported it.'),
    reportingComponent: schema.string('Which controller reported it.'),
    reportingInstance: schema.string('Which instance of the controller.'),
    related: schema.object('Another object that has to do with it.'),
    count: schema.integer('How often it happened.'),
    series: schema.object('The series it stands for.'),
    eventTime: schema.time('When it happened.'),
    firstTimestamp: schema.time('When it first happened.'),
    lastTimestamp: schema.time('When it last happened.'),
  },
};

function firstSeen(event: JsonObject): string {
  return textAt(event, 'firstTimestamp') || textAt(event, 'eventTime');
}

function lastSeen(event: JsonObject): string {
  return textAt(event, 'series.lastObservedTime') || textAt(event, 'lastTimestamp') || firstSeen(event);
}

function times(event: JsonObject): number {
  return numberAt(event, 'series.count') || numberAt(event, 'count') || 1;
}

function involvedObject(event: JsonObject): string {
  const kind = textAt(event, 'involvedObject.kind').toLowerCase();
  const name = textAt(event, 'involvedObject.name');
  return name === '' ? kind : `${kind}/${name}`;
}

function source(event: JsonObject): string {
  const component = textAt(event, 'source.component') || textAt(event, 'reportingComponent');
  const host = textAt(event, 'source.host') || textAt(event, 'reportingInstance');
  return host === '' ? component : `${component}, ${host}`;
}

import type { ResourceDefinition } from '../define-resource-types.ts';
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
  properties: {
    involvedObject: schema.fields(
      'What it happened to.',
      Object.fromEntries(REFERENCE.map((key) => [key, schema.string('')])),
    ),
    type: schema.string('Normal or Warning.'),
    reason: schema.string('Why, in one word.'),
    message: schema.string('What happened.'),
    action: schema.string('What was done.'),
    source: schema.object('The component that reported it.'),
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

import type { JsonObject } from '../../../json/index.ts';
import { type Column, humanAge, numberAt, textAt } from '../../resource-types/index.ts';
import { asString, field, integer, NAME, text, wide } from '../columns.ts';

export const events: readonly Column[] = [
  text('Last Seen', 'Time since the last occurrence.', (o, now) => humanAge(lastSeen(o), now)),
  field('Type', 'type', 'Normal or Warning.', ''),
  field('Reason', 'reason', 'The reason in one word.', ''),
  text('Object', 'The object that the event is about.', involvedObject),
  wide(field('Subobject', 'involvedObject.fieldPath', 'The part of the object that the event is about.', '')),
  wide(text('Source', 'The component that reported it.', source)),
  text('Message', 'What happened.', (o) => textAt(o, 'message').trim()),
  wide(text('First Seen', 'Time since the first occurrence.', (o, now) => humanAge(firstSeen(o), now))),
  wide(asString(integer('Count', 'The number of occurrences.', times))),
  wide(NAME),
];

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

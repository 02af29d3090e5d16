import { type JsonObject, objectAt } from '../../../json/index.ts';
import { invalid, required } from '../../field-errors/index.ts';
import type { Errors } from '../errors.ts';
import { isThere, numberOf, textOf } from '../reading.ts';
import { immutable } from './classes.ts';

/**
 * Checks an Event that was written through events.k8s.io, with the fields of the core group. Such Events have more
 * rules.
 */
export function* newSeriesEvent(body: JsonObject): Errors {
  yield* series(body);
  if (!isThere(body.eventTime)) yield required('eventTime');
  const type = textOf(body.type);
  if (type !== 'Normal' && type !== 'Warning') yield invalid('type', '', `has invalid value: ${type}`);
  const { component, host } = objectAt(body.source);
  const deprecated = {
    firstTimestamp: isThere(body.firstTimestamp),
    lastTimestamp: isThere(body.lastTimestamp),
    count: numberOf(body.count) !== 0,
    source: textOf(component) !== '' || textOf(host) !== '',
  };
  for (const [field, isSet] of Object.entries(deprecated)) {
    if (isSet) yield invalid(field, '', 'needs to be unset');
  }
}

const FIXED = [
  ...[
    'involvedObject',
    'reason',
    'message',
    'source',
    'firstTimestamp',
    'lastTimestamp',
    'count',
    'reason',
    'type',
  ],
  ...['eventTime', 'action', 'related'],
];

/** Checks the update of a series. Only its count and its last time may change. */
export function* seriesEventUpdate(body: JsonObject, old: JsonObject): Errors {
  yield* series(body);
  for (const field of FIXED) yield* immutable(field, body[field], old[field]);
  yield* immutable('reportingController', body.reportingComponent, old.reportingComponent);
  yield* immutable('reportingInstance', body.reportingInstance, old.reportingInstance);
}

function* series({ series: given }: JsonObject): Errors {
  if (!isThere(given)) return;
  const { count, lastObservedTime } = objectAt(given);
  if (numberOf(count) < 2) yield invalid('series.count', '', 'should be at least 2');
  if (!isThere(lastObservedTime)) yield required('series.lastObservedTime');
}

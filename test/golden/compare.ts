import { parse } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/index.ts';
import type { Recorded } from './recording.ts';
import type { Answered } from './replay.ts';
import { differenceOf } from './same-shape.ts';

/** The aspects in which two answers can differ. */
export type Aspect = 'status' | 'type' | 'warnings' | 'message' | 'details' | 'managedFields' | 'body';

export type Differences = Partial<Record<Aspect, string>>;

/** Compares a recorded answer with Winnow's. Returns each aspect that differs, with its place and both values. */
export function compare(recorded: Recorded, ours: Answered): Differences {
  const found: Record<Aspect, string | undefined> = {
    status: recorded.status === ours.status ? undefined : `${recorded.status}, here ${ours.status}`,
    ...typeDifference(recorded, ours),
    ...bodyDifferences(recordedValue(recorded), parsed(ours.text, recorded.answerType)),
  };
  const told = Object.entries(found).filter(([, what]) => what !== undefined);
  return Object.fromEntries(told);
}

/** The recorded answer as a value. The recording holds YAML answers as text. */
function recordedValue({ answer, answerType }: Recorded): JsonValue | undefined {
  return typeof answer === 'string' ? parsed(answer, answerType) : answer;
}

/** Parses an answer for the comparison: YAML by its type, otherwise JSON. Text that is not JSON stays text. */
export function parsed(text: string, type = 'application/json'): JsonValue {
  if (type === 'application/yaml') return parse(text);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function typeDifference({ answerType, answerHeaders }: Recorded, { headers }: Answered) {
  const type = headers['content-type'];
  const warnings = answerHeaders?.Warning?.join(', ') ?? '';
  const own = headers.warning ?? '';
  return {
    type: answerType === undefined || answerType === type ? undefined : `${answerType}, here ${type}`,
    warnings: answerHeaders === undefined || own === warnings ? undefined : `${warnings}, here ${own}`,
  };
}

function bodyDifferences(recorded: JsonValue | undefined, ours: JsonValue) {
  const none = { message: undefined, details: undefined, managedFields: undefined, body: undefined };
  if (recorded === undefined || recorded === null) return none;
  if (isFailure(recorded) && isFailure(ours)) {
    const { message, details, ...rest } = recorded;
    const { message: ownMessage, details: ownDetails, ...ownRest } = ours;
    return {
      ...none,
      message: differenceOf(message, ownMessage),
      details: differenceOf(details, ownDetails),
      body: differenceOf(rest, ownRest),
    };
  }
  const [left, right] = [withoutManagers(recorded), withoutManagers(ours)];
  return {
    ...none,
    body: differenceOf(left.rest, right.rest),
    managedFields: differenceOf(left.managers, right.managers),
  };
}

function isFailure(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && value.kind === 'Status' && value.status === 'Failure';
}

/** Separates managedFields from the rest of an object, so that they are compared on their own. */
function withoutManagers(value: JsonValue): { rest: JsonValue; managers: JsonValue[] } {
  const managers: JsonValue[] = [];
  const strip = (one: JsonValue): JsonValue => {
    if (Array.isArray(one)) return one.map(strip);
    if (!isJsonObject(one)) return one;
    const entries = Object.entries(one).filter(([name, own]) => {
      if (name === 'managedFields' && own !== undefined) managers.push(own);
      return name !== 'managedFields';
    });
    return Object.fromEntries(entries.map(([name, own]) => [name, strip(own ?? null)]));
  };
  return { rest: strip(value), managers };
}

import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import { WireWriter } from './wire-writer.ts';

/** Writes a member of the JSON document as a field of its message. */
type Writer = (to: WireWriter, field: number, value: JsonValue) => void;

/** The members of a message by their names in JSON. `extensions` is the field of members that begin with `x-`. */
interface Message {
  readonly members: Readonly<Record<string, readonly [field: number, write: Writer]>>;
  readonly extensions?: number;
}

/**
 * A Swagger document as the message `openapi.v2.Document` of gnostic (OpenAPIv2.proto), in which kubectl, Argo CD and all
 * other programs with Kubernetes' discovery client read it.
 */
export function swaggerProtobuf(document: JsonObject): Uint8Array {
  const writer = new WireWriter();
  writeMessage(writer, DOCUMENT, document);
  return writer.bytes();
}

function writeMessage(to: WireWriter, { members, extensions }: Message, value: JsonObject): void {
  for (const [name, own] of Object.entries(value)) {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (member !== undefined) {
      const [field, write] = member;
      write(to, field, own);
    } else if (extensions !== undefined && name.startsWith('x-')) {
      to.message(extensions, (pair) => {
        pair.text(1, name);
        anything(pair, 2, own);
      });
    }
  }
}

const text: Writer = (to, field, value) => to.text(field, String(value));
const whole: Writer = (to, field, value) => to.varint(field, Number(value));
const number: Writer = (to, field, value) => to.double(field, Number(value));
const flag: Writer = (to, field, value) => {
  if (value === true) to.varint(field, 1);
};
/** A message `Any`, whose field `yaml` has the value. JSON is YAML. */
const anything: Writer = (to, field, value) =>
  to.message(field, (inner) => inner.text(2, `${JSON.stringify(value)}\n`));

function each(write: Writer): Writer {
  return (to, field, value) => {
    for (const one of Array.isArray(value) ? value : [value]) write(to, field, one);
  };
}

function message(of: () => Message): Writer {
  return (to, field, value) => to.message(field, (inner) => writeMessage(inner, of(), objectAt(value)));
}

/** A message that holds one field of another message, or a chain of such messages. */
function within(path: readonly number[], write: Writer): Writer {
  const [first, ...rest] = path;
  if (first === undefined) return write;
  const inner = within(rest, write);
  return (to, field, value) => to.message(field, (holder) => inner(holder, first, value));
}

/** The members of an object, each a message of its name and its value. */
function named(write: Writer): Writer {
  return (to, field, value) => {
    for (const [name, own] of Object.entries(objectAt(value))) {
      to.message(field, (pair) => {
        pair.text(1, name);
        write(pair, 2, own);
      });
    }
  };
}

const SCHEMA: Message = {
  members: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, anything],
    multipleOf: [6, number],
    maximum: [7, number],
    exclusiveMaximum: [8, flag],
    minimum: [9, number],
    exclusiveMinimum: [10, flag],
    maxLength: [11, whole],
    minLength: [12, whole],
    pattern: [13, text],
    maxItems: [14, whole],
    minItems: [15, whole],
    uniqueItems: [16, flag],
    maxProperties: [17, whole],
    minProperties: [18, whole],
    required: [19, each(text)],
    enum: [20, each(anything)],
    additionalProperties: [21, additional],
    type: [22, within([1], each(text))],
    items: [
      23,
      within(
        [1],
        message(() => SCHEMA),
      ),
    ],
    allOf: [24, each(message(() => SCHEMA))],
    properties: [25, within([1], named(message(() => SCHEMA)))],
    readOnly: [27, flag],
    example: [30, anything],
  },
  extensions: 31,
};

function additional(to: WireWriter, field: number, value: JsonValue): void {
  to.message(field, (item) => {
    if (isJsonObject(value)) {
      item.message(1, (inner) => writeMessage(inner, SCHEMA, value));
    } else {
      item.varint(2, value === true ? 1 : 0);
    }
  });
}

const BODY: Message = {
  members: {
    description: [1, text],
    name: [2, text],
    in: [3, text],
    required: [4, flag],
    schema: [5, message(() => SCHEMA)],
  },
};
const QUERY: Message = {
  members: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [6, text],
    format: [7, text],
    uniqueItems: [20, flag],
  },
};
const PATH: Message = {
  members: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [5, text],
    format: [6, text],
    uniqueItems: [19, flag],
  },
};

/** Writes a `ParametersItem`. The parameter's `in` determines which message the item holds. */
function parameter(to: WireWriter, field: number, value: JsonValue): void {
  const write = {
    body: within(
      [1, 1],
      message(() => BODY),
    ),
    query: within(
      [1, 2, 3],
      message(() => QUERY),
    ),
    path: within(
      [1, 2, 4],
      message(() => PATH),
    ),
  }[String(objectAt(value).in)];
  write?.(to, field, value);
}

const RESPONSE: Message = {
  members: {
    description: [1, text],
    schema: [
      2,
      within(
        [1],
        message(() => SCHEMA),
      ),
    ],
  },
  extensions: 5,
};

const OPERATION: Message = {
  members: {
    tags: [1, each(text)],
    description: [3, text],
    operationId: [5, text],
    produces: [6, each(text)],
    consumes: [7, each(text)],
    parameters: [8, each(parameter)],
    responses: [
      9,
      within(
        [1],
        named(
          within(
            [1],
            message(() => RESPONSE),
          ),
        ),
      ),
    ],
  },
  extensions: 13,
};

const PATH_ITEM: Message = {
  members: {
    get: [2, message(() => OPERATION)],
    put: [3, message(() => OPERATION)],
    post: [4, message(() => OPERATION)],
    delete: [5, message(() => OPERATION)],
    patch: [7, message(() => OPERATION)],
    parameters: [9, each(parameter)],
  },
};

const INFO: Message = { members: { title: [1, text], version: [2, text] } };

const DOCUMENT: Message = {
  members: {
    swagger: [1, text],
    info: [2, message(() => INFO)],
    paths: [8, within([2], named(message(() => PATH_ITEM)))],
    definitions: [9, within([1], named(message(() => SCHEMA)))],
  },
};

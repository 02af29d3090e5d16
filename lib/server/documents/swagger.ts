import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import { VERSION } from './version.ts';

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);
const JSON_TYPE = 'application/json';

/** Converts OpenAPI v3 documents to one document of version 2 (Swagger). */
export function swagger(documents: readonly JsonObject[]): JsonObject {
  const paths: JsonObject = {};
  const definitions: JsonObject = {};
  for (const document of documents) {
    for (const [path, item] of Object.entries(objectAt(document.paths))) {
      paths[path] = pathItem(objectAt(item));
    }
    Object.assign(definitions, schema(objectAt(objectAt(document.components).schemas)));
  }
  return { swagger: '2.0', info: { title: 'Winnow', version: VERSION.gitVersion }, paths, definitions };
}

function pathItem(item: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      METHODS.has(name) ? operation(objectAt(value)) : parameters(value),
    ]),
  );
}

function operation({ parameters: own, requestBody, responses, ...rest }: JsonObject): JsonObject {
  const sent = isJsonObject(requestBody) ? [body(requestBody)] : [];
  const answers = Object.entries(objectAt(responses)).map(([code, answer]) => [
    code,
    response(objectAt(answer)),
  ]);
  return {
    ...rest,
    consumes: ['*/*'],
    produces: [JSON_TYPE],
    parameters: [...parameters(own), ...sent],
    responses: Object.fromEntries(answers),
  };
}

/** Converts parameters. In version 2, the schema's fields are part of the parameter. */
function parameters(value: JsonValue | undefined): JsonValue[] {
  return (Array.isArray(value) ? value : []).map((parameter) => {
    const { schema: own, ...rest } = objectAt(parameter);
    return { ...rest, ...objectAt(own) };
  });
}

function body({ required = false, content }: JsonObject): JsonObject {
  return { name: 'body', in: 'body', required, schema: schema(schemaIn(content)) };
}

function response({ description = '', content }: JsonObject): JsonObject {
  return { description, schema: schema(schemaIn(content)) };
}

function schemaIn(content: JsonValue | undefined): JsonObject {
  return objectAt(objectAt(objectAt(content)[JSON_TYPE]).schema);
}

/** Converts a schema. References lead to `definitions`. A reference with a description is unwrapped from `allOf`. */
function schema(value: JsonObject): JsonObject {
  const { allOf, ...rest } = value;
  const [only, ...more] = Array.isArray(allOf) ? allOf : [];
  const whole = only !== undefined && more.length === 0 ? { ...rest, ...objectAt(only) } : value;
  return Object.fromEntries(Object.entries(whole).map(([name, own]) => [name, inner(name, own ?? null)]));
}

function inner(name: string, value: JsonValue): JsonValue {
  if (name === '$ref') return String(value).replace('#/components/schemas/', '#/definitions/');
  if (Array.isArray(value)) return value.map((item) => (isJsonObject(item) ? schema(item) : item));
  return isJsonObject(value) ? schema(value) : value;
}

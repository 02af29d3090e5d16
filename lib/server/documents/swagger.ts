import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '../../json/index.ts';
import type { Components } from '../../kubernetes/openapi/index.ts';
import { COMPONENTS } from './openapi-shared.ts';
import { VERSION } from './version.ts';

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);
const JSON_TYPE = 'application/json';
const KEEPS_UNKNOWN = 'x-kubernetes-preserve-unknown-fields';
const GROUP_VERSION_KIND = 'x-kubernetes-group-version-kind';

/** Converts OpenAPI v3 documents to one document of version 2, which is also called Swagger. */
export function swagger(documents: readonly JsonObject[], components: Components): JsonObject {
  const paths: JsonObject = {};
  const definitions: JsonObject = {};
  for (const document of documents) {
    for (const [path, item] of Object.entries(objectAt(document.paths))) {
      paths[path] = pathItem(objectAt(item));
    }
    for (const [name, own] of Object.entries(objectAt(objectAt(document.components).schemas))) {
      const converted = schema(objectAt(own));
      definitions[name] = components.has(name) ? withoutDefaults(converted) : customDefinition(converted);
    }
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

/** Converts parameters: the fields of a parameter's schema move into the parameter itself. */
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

/** Schemas by name: a property may be called `$ref`. */
function eachOf(schemas: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, own]) => [name, schema(objectAt(own))]));
}

/**
 * A schema as version 2 can have it, and as kube-apiserver makes it. Alternatives, `not` and `nullable` do not exist there.
 * A value that may be null has no type, and is not required. kubectl cannot read a list without items, nor an object that
 * keeps unknown fields and has a type or properties.
 */
function schema(value: JsonObject): JsonObject {
  const { allOf, anyOf: _anyOf, oneOf, not: _not, nullable = false, ...rest } = value;
  const [only, ...more] = Array.isArray(allOf) ? allOf : [];
  const { $ref } = objectAt(only ?? {});
  if (typeof $ref === 'string' && more.length === 0) {
    const { default: _default, ...beside } = rest;
    return { ...beside, $ref: definition($ref) };
  }
  const whole: JsonObject = Object.fromEntries(
    Object.entries(rest).map(([name, own]) => [name, inner(name, own)]),
  );
  // Quantity and IntOrString of Kubernetes are a number or a text.
  const isScalar = whole.properties === undefined && whole.type === undefined;
  if (oneOf !== undefined && isScalar) whole.type = 'string';
  if (nullable === true) delete whole.type;
  if (nullable === true || whole[KEEPS_UNKNOWN] === true) {
    delete whole.items;
    delete whole.properties;
  }
  const isBareList = whole.type === 'array' && whole.items === undefined;
  if (isBareList || (whole[KEEPS_UNKNOWN] === true && whole.type === 'object')) delete whole.type;
  return withRequired(whole, objectAt(value.properties));
}

/** Leaves out of `required` the properties that may be null. */
function withRequired({ required, ...rest }: JsonObject, properties: JsonObject): JsonObject {
  if (!Array.isArray(required)) return rest;
  const kept = required.filter((name) => objectAt(properties[String(name)]).nullable !== true);
  return kept.length === 0 ? rest : { ...rest, required: kept };
}

/**
 * The definition of a custom kind. kubectl would refuse unknown fields of an object, so a kind that keeps unknown
 * fields has no properties at all.
 */
function customDefinition(definition: JsonObject): JsonObject {
  if (definition[KEEPS_UNKNOWN] !== true) return definition;
  const { [GROUP_VERSION_KIND]: kinds } = definition;
  return { type: 'object', ...(kinds !== undefined && { [GROUP_VERSION_KIND]: kinds }) };
}

function inner(name: string, value: JsonValue): JsonValue {
  if (name === '$ref') return definition(String(value));
  if (name === 'properties' && isJsonObject(value)) return eachOf(value);
  const isSchema = name === 'items' || name === 'additionalProperties';
  return isSchema && isJsonObject(value) ? schema(value) : value;
}

/** The definitions of Kubernetes' own kinds have no defaults: in version 3 these are Go's empty values. */
function withoutDefaults({ default: _default, ...value }: JsonObject): JsonObject {
  const { properties, items, additionalProperties } = value;
  return {
    ...value,
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, own]) => [name, withoutDefaults(objectAt(own))]),
      ),
    }),
    ...(isJsonObject(items) && { items: withoutDefaults(items) }),
    ...(isJsonObject(additionalProperties) && {
      additionalProperties: withoutDefaults(additionalProperties),
    }),
  };
}

function definition(reference: string): string {
  return reference.replace(COMPONENTS, '#/definitions/');
}

import { fromJson, type Shape, types, type Value } from '../../cel/index.ts';
import { type Authorizer, authorizerValue, requestResourceValue } from '../../cel/libraries/index.ts';
import type { JsonObject, JsonValue } from '../../json/index.ts';
import type { AdmissionAttributes, MatchedAs } from '../admission-match/index.ts';
import type { Activation } from './evaluation.ts';
import { requestOf } from './request.ts';

const ANY: Shape = { form: 'dyn', type: types.DYN, nullable: true, minBytes: 0, maxElements: undefined };

/** The variables of one write whose values do not depend on the policy. */
export interface WriteValues {
  readonly attributes: AdmissionAttributes;
  /** The objects in the version that the rule matched. */
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly matchedAs: MatchedAs;
  readonly namespaceObject: JsonValue;
  /** Undefined where the policy has no parameters. */
  readonly params: JsonObject | undefined;
  /** Undefined for the expressions of messages. */
  readonly authorizer: Authorizer | undefined;
}

/** Returns the values of the variables of expressions. Each becomes a value of CEL when it is first read. */
export function activationOf(values: WriteValues): Activation {
  const known = new Map<string, Value | undefined>();
  return (name) => {
    if (!known.has(name)) known.set(name, valueNamed(name, values));
    return known.get(name);
  };
}

function valueNamed(name: string, values: WriteValues): Value | undefined {
  const { attributes, authorizer } = values;
  switch (name) {
    case 'object':
      return fromJson(values.object, ANY);
    case 'oldObject':
      return fromJson(values.oldObject, ANY);
    case 'params':
      return fromJson(values.params, ANY);
    case 'namespaceObject':
      return fromJson(values.namespaceObject, ANY);
    case 'request':
      return fromJson(requestOf(attributes, values.matchedAs), ANY);
    case 'authorizer':
      return authorizer && authorizerValue(attributes.user, authorizer);
    case 'authorizer.requestResource':
      return authorizer && requestResourceValue(attributes.user, authorizer, accessOf(attributes));
    default:
      return undefined;
  }
}

function accessOf({ resource, subresource, namespace, name }: AdmissionAttributes) {
  return { apiGroup: resource.group, resource: resource.resource, subresource, namespace, name };
}

export interface HoldsSecretOptions {
  /** Whether objects of the requested type have their own data, as ConfigMaps do. */
  readonly hasData: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Kinds whose objects must not appear in a log, in any letter case. */
const KIND = /^(?:secret|secretlist|tokenrequest|tokenreview)$/i;
/** Fields that an object has and a reference to one does not: `{ kind: Secret, name: a }` holds no secret. */
const OF_OBJECTS = ['metadata', 'data', 'items', 'spec', 'status'];
/**
 * Matches text that contains such an object as JSON or YAML, even if escaped again. Examples: the annotation of
 * `kubectl apply`, a manifest in a ConfigMap. Also matches text that names a field of a Secret, for example in a JSON
 * patch.
 */
const TEXT = /kind["'\\]*\s*:\s*["'\\]*(?:secret|tokenrequest|tokenreview)|stringData/i;
/** Matches an AWS token as `aws eks get-token` prints it, or a signed JWT. */
const TOKEN = /k8s-aws-v1\.[\w-]{20}|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8}/;

/**
 * Whether a request body, or a part of it at any depth, is a Secret or contains a token. A Secret is recognized by
 * its kind, by its fields if it has no kind, or inside a text. In doubt the answer is true.
 */
export function holdsSecret(body: unknown, { hasData }: HoldsSecretOptions): boolean {
  const isDataOfSecret = (fields: Fields) => !hasData && isKindless(fields) && isFields(fields.data);
  if (isFields(body) && (isOfKind(body) || isDataOfSecret(body))) return true;
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' && isSecretText(value)) return true;
    if (Array.isArray(value)) {
      for (const one of value) left.push(one);
    } else if (isFields(value)) {
      if (isSecretPart(value) || (value !== body && isSecretItem(value))) return true;
      for (const [name, one] of Object.entries(value)) left.push(name, one);
    }
  }
  return false;
}

function isSecretText(text: string): boolean {
  return TEXT.test(text) || TOKEN.test(text);
}

/** Whether an object at any depth is a Secret. */
function isSecretPart(fields: Fields): boolean {
  if (isOfKind(fields) && OF_OBJECTS.some((name) => Object.hasOwn(fields, name))) return true;
  return isKindless(fields) && isFields(fields.data) && typeof fields.type === 'string';
}

/** Whether a nested object is a Secret. Items of a list have no kind if the list has it. */
function isSecretItem(fields: Fields): boolean {
  return isKindless(fields) && isFields(fields.data) && isFields(fields.metadata);
}

function isOfKind({ kind }: Fields): boolean {
  return typeof kind === 'string' && KIND.test(kind.trim());
}

function isKindless({ kind }: Fields): boolean {
  return typeof kind !== 'string' || kind === '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

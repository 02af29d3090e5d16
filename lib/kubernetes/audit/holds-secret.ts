export interface HoldsSecretOptions {
  /** Whether an object of the type that the request names has data of its own, as a ConfigMap has. */
  readonly hasData: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Kinds whose objects hold what nobody may read in a log, whatever the case they are written in. */
const KIND = /^(?:secret|secretlist|tokenrequest|tokenreview)$/i;
/** What an object has and a reference to one has not: `{ kind: Secret, name: a }` holds nothing. */
const OF_OBJECTS = ['metadata', 'data', 'items', 'spec', 'status'];
/**
 * A text that holds such an object as JSON or YAML, be it escaped again (the annotation of `kubectl apply`, a manifest in
 * a ConfigMap), or names a field of a Secret (a JSON patch).
 */
const TEXT = /kind["'\\]*\s*:\s*["'\\]*(?:secret|tokenrequest|tokenreview)|stringData/i;
/** A token of AWS as `aws eks get-token` prints it, or a signed JWT. */
const TOKEN = /k8s-aws-v1\.[\w-]{20}|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8}/;

/**
 * Whether a body that was sent, or a part of it at any depth, is a Secret or holds a token. It is known by its kind, by the
 * fields of a Secret where it has no kind, or inside a text. Errs on the side of yes.
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

/** Of an object at any depth. */
function isSecretPart(fields: Fields): boolean {
  if (isOfKind(fields) && OF_OBJECTS.some((name) => Object.hasOwn(fields, name))) return true;
  return isKindless(fields) && isFields(fields.data) && typeof fields.type === 'string';
}

/** Of one inside another: an item of a list has no kind where the list says it. */
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

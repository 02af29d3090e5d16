import { type ApiRequest, hasBody, mediaTypeOf, readBody } from '../http/index.ts';

/** Bytes of a body that is told: CloudWatch takes lines of 256 KiB. */
const MOST_BYTES = 100_000;
/** Says in an event why its body is not in it. */
const LEFT_OUT = 'winnow.dev/request-object';

export interface RequestObject {
  readonly told?: { readonly requestObject: unknown };
  readonly notes?: Readonly<Record<string, string>>;
}

/** What was sent, whatever its encoding, or why it is not told. */
export async function requestObject(request: ApiRequest): Promise<RequestObject> {
  if (!hasBody(request) || request.body === undefined) return {};
  const { length } = request.body;
  if (length > MOST_BYTES) return { notes: { [LEFT_OUT]: `left out: ${length} bytes` } };
  try {
    return { told: { requestObject: JSON.parse(Buffer.from(request.body).toString()) } };
  } catch {
    return { ...(await otherwiseEncoded(request)) };
  }
}

async function otherwiseEncoded(request: ApiRequest): Promise<RequestObject> {
  try {
    const { value } = await readBody(request, { apiVersion: '', kind: '' });
    return { told: { requestObject: value } };
  } catch {
    return { notes: { [LEFT_OUT]: `left out: it cannot be read as ${mediaTypeOf(request)}` } };
  }
}

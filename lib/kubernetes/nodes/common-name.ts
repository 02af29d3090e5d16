const PEM = /-----BEGIN CERTIFICATE REQUEST-----\s(.*?)-----END CERTIFICATE REQUEST-----/s;
/** The DER encoding of the object identifier 2.5.4.3, commonName. */
const COMMON_NAME = Buffer.from([0x55, 0x04, 0x03]);

/** One value in DER: its tag and its content. */
interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/**
 * The common name of the subject in a PEM certificate request (RFC 2986); `''` if the subject has none. Undefined if the
 * text is no certificate request.
 */
export function commonNameOf(pem: string): string | undefined {
  const [, text] = PEM.exec(pem) ?? [];
  if (text === undefined) return undefined;
  try {
    // CertificationRequest is a sequence that begins with CertificationRequestInfo: version, subject, …
    const [request] = elementsOf(Buffer.from(text, 'base64'));
    const [info] = elementsOf(contentOf(request));
    const [, subject] = elementsOf(contentOf(info));
    // A subject is a sequence of sets of attributes. An attribute has a type and a value.
    const attributes = elementsOf(contentOf(subject)).flatMap(({ content }) => elementsOf(content));
    const named = attributes
      .map(({ content }) => elementsOf(content))
      .filter(([type]) => type !== undefined && COMMON_NAME.equals(type.content));
    return named.at(-1)?.[1]?.content.toString() ?? '';
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function contentOf(element: Element | undefined): Buffer {
  if (element === undefined) throw new RangeError('the certificate request ends too early');
  return element.content;
}

/** The values that follow each other in `bytes`. @throws RangeError the bytes end too early */
function elementsOf(bytes: Buffer): readonly Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const size = first < 0x80 ? 0 : first & 0x7f;
    const length = size === 0 ? first : bytes.readUIntBE(at + 2, size);
    const from = at + 2 + size;
    if (from + length > bytes.length) throw new RangeError('the certificate request ends too early');
    elements.push({ tag, content: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return elements;
}

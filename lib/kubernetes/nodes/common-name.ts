/** A whole text that is one PEM block without headers, as kubelets write it. */
const PEM =
  /^-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/\r\n]+={0,2})\r?\n-----END CERTIFICATE REQUEST-----\s*$/;
/** The tags of values in DER. */
const SEQUENCE = 0x30;
const SET = 0x31;
const OBJECT_IDENTIFIER = 0x06;
/** UTF8String, PrintableString, IA5String. */
const STRINGS = [0x0c, 0x13, 0x16];
/** The encoding of the object identifier 2.5.4.3, commonName. */
const COMMON_NAME = Buffer.from([0x55, 0x04, 0x03]);

/** One value in DER: its tag and its content. */
interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

/**
 * The common name of the subject in a PEM certificate request (RFC 2986); `''` if the subject has none. Undefined if the
 * text is no certificate request, or if another parser could read another name from it.
 */
export function commonNameOf(pem: string): string | undefined {
  const [, text] = PEM.exec(pem) ?? [];
  if (text === undefined) return undefined;
  try {
    const [request, ...others] = elementsOf(Buffer.from(text, 'base64'));
    if (others.length > 0) return undefined;
    // CertificationRequest is a sequence that begins with CertificationRequestInfo: version, subject, …
    const [info] = elementsOf(contentOf(request, SEQUENCE));
    const [, subject] = elementsOf(contentOf(info, SEQUENCE));
    // A subject is a sequence of sets of attributes. An attribute has a type and a value.
    const attributes = elementsOf(contentOf(subject, SEQUENCE))
      .flatMap((set) => elementsOf(contentOf(set, SET)))
      .map((attribute) => elementsOf(contentOf(attribute, SEQUENCE)));
    const named = attributes.filter(([type]) => COMMON_NAME.equals(contentOf(type, OBJECT_IDENTIFIER)));
    const values = named.map(([, value]) => contentOf(value, ...STRINGS).toString());
    return values.at(-1) ?? '';
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @throws RangeError the value has another tag, or there is none */
function contentOf(element: Element | undefined, ...tags: readonly number[]): Buffer {
  if (element === undefined || !tags.includes(element.tag)) {
    throw new RangeError('the certificate request has another structure');
  }
  return element.content;
}

/** The values that follow each other in `bytes`. @throws RangeError the bytes end too early */
function elementsOf(bytes: Buffer): readonly Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const size = first < 0x80 ? 0 : first & 0x7f;
    const length = first < 0x80 ? first : bytes.readUIntBE(at + 2, size);
    const from = at + 2 + size;
    if (from + length > bytes.length) throw new RangeError('the certificate request ends too early');
    elements.push({ tag, content: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return elements;
}

import { EncodingError } from './encoding-error.ts';

/** The wire types of field values. https://protobuf.dev/programming-guides/encoding/ */
export const WIRE = { varint: 0, eight: 1, bytes: 2, group: 3, groupEnd: 4, four: 5 } as const;

export interface Tag {
  readonly number: number;
  readonly wireType: number;
}

const TEXT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** The maximum length of a varint in bytes. */
const LONGEST_VARINT = 10;
const TWO_32 = 2 ** 32;

/**
 * A reader of protobuf's wire format. Every read stays within the bytes and takes time proportional to its length.
 *
 * @throws {EncodingError} (every method) the bytes end too early, or are not protobuf
 */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #low = 0;
  #high = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  tag(): Tag {
    this.#varint();
    const wireType = this.#low & 7;
    const number = (this.#low >>> 3) | (this.#high << 29);
    if (wireType === WIRE.groupEnd) throw new EncodingError('proto: wiretype end group for non-group');
    if (number <= 0) throw new EncodingError(`proto: illegal tag ${number} (wire type ${wireType})`);
    return { number, wireType };
  }

  int32(): number {
    this.#varint();
    return this.#low;
  }

  /** Values beyond 2^53 are rounded, as JSON numbers are. */
  int64(): number {
    this.#varint();
    return this.#high * TWO_32 + (this.#low >>> 0);
  }

  uint64(): number {
    this.#varint();
    return (this.#high >>> 0) * TWO_32 + (this.#low >>> 0);
  }

  bool(): boolean {
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  double(): number {
    const { buffer, byteOffset } = this.#take(8);
    return new DataView(buffer, byteOffset, 8).getFloat64(0, true);
  }

  /** Returns a view, not a copy. */
  bytes(): Uint8Array {
    this.#varint();
    if (this.#high < 0) throw new EncodingError('proto: negative length found during unmarshaling');
    return this.#take(this.#high * TWO_32 + (this.#low >>> 0));
  }

  string(): string {
    const bytes = this.bytes();
    try {
      return TEXT.decode(bytes);
    } catch {
      throw new EncodingError('proto: string is not valid UTF-8');
    }
  }

  /** Skips the value of an unused field. */
  skip(wireType: number): void {
    let groups = 0;
    let type = wireType;
    for (;;) {
      groups += this.#skipOne(type);
      if (groups === 0) return;
      this.#varint();
      type = this.#low & 7;
    }
  }

  /** Skips one value. Returns the change in the number of open groups. */
  #skipOne(wireType: number): number {
    switch (wireType) {
      case WIRE.varint:
        this.#varint();
        return 0;
      case WIRE.eight:
        this.#take(8);
        return 0;
      case WIRE.bytes:
        this.bytes();
        return 0;
      case WIRE.group:
        return 1;
      case WIRE.groupEnd:
        return -1;
      case WIRE.four:
        this.#take(4);
        return 0;
      default:
        throw new EncodingError(`proto: illegal wireType ${wireType}`);
    }
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new EncodingError('unexpected EOF');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** Reads a varint into the low and high 32 bits, both signed. */
  #varint(): void {
    this.#low = 0;
    this.#high = 0;
    for (let read = 0; read < LONGEST_VARINT; read++) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new EncodingError('unexpected EOF');
      this.#at += 1;
      this.#add(byte & 0x7f, read * 7);
      if (byte < 0x80) return;
    }
    throw new EncodingError('proto: integer overflow');
  }

  #add(bits: number, shift: number): void {
    if (shift < 32) this.#low |= bits << shift;
    if (shift >= 32) {
      this.#high |= bits << (shift - 32);
    } else if (shift > 25) this.#high |= bits >>> (32 - shift);
  }
}

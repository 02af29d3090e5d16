/** Writes a message of Protocol Buffers: fields as they are added, in their wire format. */
export class WireWriter {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Writes a whole number of wire type 0: a `bool` or an `int64`. A negative one takes ten bytes. */
  varint(field: number, value: number): void {
    this.#tag(field, 0);
    this.#varint(BigInt.asUintN(64, BigInt(Math.trunc(value))));
  }

  double(field: number, value: number): void {
    this.#tag(field, 1);
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.#add(bytes);
  }

  text(field: number, value: string): void {
    const bytes = UTF8.encode(value);
    this.#tag(field, 2);
    this.#varint(bytes.length);
    this.#add(bytes);
  }

  message(field: number, write: (inner: WireWriter) => void): void {
    const inner = new WireWriter();
    write(inner);
    this.#tag(field, 2);
    this.#varint(inner.length);
    for (const part of inner.#parts) this.#add(part);
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number | bigint): void {
    const bytes: number[] = [];
    let left = BigInt(value);
    for (; left >= 128n; left >>= 7n) bytes.push(Number(left & 127n) + 128);
    bytes.push(Number(left));
    this.#add(Uint8Array.from(bytes));
  }

  #add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#length += bytes.length;
  }
}

const UTF8 = new TextEncoder();
